// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The backend gave no answer, or none that could be understood. Whether the step was carried out is not known; it may be
 * asked again with the same owner token.
 */
public final class StoreUnavailableException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
