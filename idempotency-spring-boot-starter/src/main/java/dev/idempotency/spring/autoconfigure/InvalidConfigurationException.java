// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The application cannot start; the message says in one sentence which setting breaks which rule. */
public final class InvalidConfigurationException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    public InvalidConfigurationException(String message) {
        this(message, null);
    }

    public InvalidConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
