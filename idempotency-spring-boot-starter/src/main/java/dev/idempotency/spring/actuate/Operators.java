// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.actuate;

import dev.idempotency.deadletter.Handling;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;

/** Who uses an endpoint. */
final class Operators {

    /** Most characters of the reason that an operator gives. */
    static final int MAX_REASON = 1_000;

    private Operators() {}

    /** Whether somebody could read later why it was done. */
    static boolean isReason(@Nullable String text) {
        return text != null && !text.isBlank() && text.length() <= MAX_REASON;
    }

    /** The name of whoever is logged in, as far as it can be kept. */
    static String name(SecurityContext security) {
        Principal principal = security.getPrincipal();
        if (principal == null || principal.getName() == null) {
            return "anonymous";
        }
        String name = principal.getName();
        return name.substring(0, Math.min(name.length(), Handling.MAX_OPERATOR));
    }
}
