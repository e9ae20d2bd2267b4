// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** The trace that a request belongs to: the application's own, or the one that its sender names. */
final class TraceIds {

    /** Version, trace id, parent id and flags (W3C Trace Context, section 3.2.2). */
    private static final Pattern TRACEPARENT =
            Pattern.compile("[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

    private TraceIds() {}

    static @Nullable String of(HttpServletRequest request) {
        String current = MDC.get("traceId");
        if (current != null && !current.isEmpty()) {
            return current;
        }
        String parent = request.getHeader("traceparent");
        return parent != null && TRACEPARENT.matcher(parent).lookingAt() ? parent.substring(3, 35) : null;
    }
}
