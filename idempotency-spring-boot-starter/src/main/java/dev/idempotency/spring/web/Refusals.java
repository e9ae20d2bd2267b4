// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.IdempotencyException;
import java.util.Set;

/** Tells a refusal of the caller from a failure of the operation, by what was thrown. */
public final class Refusals {

    /** Spring Security's, by name, as it may not be there; it turns them into 401 and 403 outside this filter. */
    private static final Set<String> SECURITY_REFUSALS = Set.of(
            "org.springframework.security.access.AccessDeniedException",
            "org.springframework.security.core.AuthenticationException");

    private static final int MAX_CAUSES = 20;

    private Refusals() {}

    /** Whether the exception, or one that caused it, says that the caller may not do this, or not now. */
    public static boolean isRefusal(Throwable thrown) {
        Throwable cause = thrown;
        for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
            if (cause instanceof IdempotencyException) {
                return true;
            }
            for (Class<?> type = cause.getClass(); type != null; type = type.getSuperclass()) {
                if (SECURITY_REFUSALS.contains(type.getName())) {
                    return true;
                }
            }
            cause = cause.getCause();
        }
        return false;
    }
}
