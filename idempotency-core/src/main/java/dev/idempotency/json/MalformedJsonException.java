// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The text is not JSON, or exceeds the limits of the library that reads it. The message holds nothing of the text. */
public final class MalformedJsonException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    public MalformedJsonException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
