// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A record's payload is damaged, or was written in a format that this version does not know. */
public final class UnreadableContentException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    UnreadableContentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
