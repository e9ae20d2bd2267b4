// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.json;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A value cannot be written, or bytes are no value of the declared type. */
public final class ValueCodecException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    public ValueCodecException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
