// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Stored bytes are damaged, were moved here from elsewhere, or have a format or key that is not known here. */
public final class UnreadableContentException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    public UnreadableContentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
