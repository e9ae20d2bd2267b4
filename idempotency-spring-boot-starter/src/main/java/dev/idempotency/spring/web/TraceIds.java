// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The trace that a request belongs to: the application's own, or the one that its sender names; with the span, as
 * {@code <trace id>-<span id>}, if it is known.
 */
public final class TraceIds {

    /** Where the parts of a traceparent begin: version, trace id, parent id, flags (W3C Trace Context, section 3.2.2). */
    private static final int TRACE_ID = 3;

    private static final int PARENT_ID = 36;
    private static final int FLAGS = 53;
    private static final int LENGTH = 55;

    /** Far beyond any tracer's ids; a longer text is none. */
    private static final int MAX_LENGTH = 128;

    private TraceIds() {}

    static @Nullable String of(HttpServletRequest request) {
        String current = current();
        if (current != null) {
            return current;
        }
        String parent = request.getHeader("traceparent");
        return parent != null && isTraceParent(parent) ? parent.substring(TRACE_ID, FLAGS - 1) : null;
    }

    /** The trace of the calling thread, as tracers tell it to logs. */
    public static @Nullable String current() {
        String trace = id("traceId");
        String span = id("spanId");
        return trace == null || span == null ? trace : trace + "-" + span;
    }

    private static @Nullable String id(String name) {
        String id = MDC.get(name);
        return id == null || id.isEmpty() || id.length() > MAX_LENGTH ? null : id;
    }

    private static boolean isTraceParent(String text) {
        boolean zero = true;
        for (int i = 0; i < LENGTH; i++) {
            char c = i < text.length() ? text.charAt(i) : ' ';
            boolean dash = i == TRACE_ID - 1 || i == PARENT_ID - 1 || i == FLAGS - 1;
            boolean hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
            if (dash ? c != '-' : !hex) {
                return false;
            }
            zero &= c == '0' || i < TRACE_ID || i >= PARENT_ID - 1;
        }
        return !zero;
    }
}
