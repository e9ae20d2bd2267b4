// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * The request that a thread works on.
 *
 * @param number what the driver calls it
 * @param operation the idempotency key
 * @param hold where it is to be held up, empty for nowhere
 * @param sabotage the {@link Sabotage} that it asks for, empty for none
 */
record CurrentCall(String number, String operation, String hold, String sabotage) {

    private static final ThreadLocal<@Nullable CurrentCall> CURRENT = new ThreadLocal<>();

    static CurrentCall of(HttpServletRequest request) {
        return new CurrentCall(
                header(request, "X-Call"),
                header(request, "X-Idempotency-Key"),
                header(request, "X-Hold"),
                header(request, "X-Sabotage"));
    }

    private static String header(HttpServletRequest request, String name) {
        String value = request.getHeader(name);
        return value == null ? "" : value;
    }

    static @Nullable CurrentCall get() {
        return CURRENT.get();
    }

    static void set(@Nullable CurrentCall call) {
        if (call == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(call);
        }
    }
}
