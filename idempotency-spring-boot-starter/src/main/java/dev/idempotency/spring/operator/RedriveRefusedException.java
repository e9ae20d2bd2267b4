// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A request cannot be sent again; the message tells the operator why. Nothing was run. */
public final class RedriveRefusedException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    public RedriveRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
