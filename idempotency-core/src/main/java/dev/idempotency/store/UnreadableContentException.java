// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Stored content is damaged, or was written in a format that this version does not know. */
public final class UnreadableContentException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    public UnreadableContentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
