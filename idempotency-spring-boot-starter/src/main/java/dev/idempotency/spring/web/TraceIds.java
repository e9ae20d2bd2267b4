// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** The trace that a request belongs to: the application's own, or the one that its sender names. */
final class TraceIds {

    /** Version, trace id, parent id and flags (W3C Trace Context, section 3.2.2). */
    private static final int TRACEPARENT_LENGTH = 55;

    private TraceIds() {}

    static @Nullable String of(HttpServletRequest request) {
        String current = MDC.get("traceId");
        if (current != null && !current.isEmpty()) {
            return current;
        }
        String parent = request.getHeader("traceparent");
        if (parent == null || parent.length() < TRACEPARENT_LENGTH) {
            return null;
        }
        String traceId = parent.substring(3, 35);
        return traceId.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 0x80) ? traceId : null;
    }
}
