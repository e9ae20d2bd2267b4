// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * What adds CORS headers on the way from this filter to a handler, for answers that the handler does not give: the
 * application's {@link CorsFilter}s and Spring MVC's interceptor. A filter that stands before this one has added them
 * already, and does nothing when it is passed a second time.
 */
final class CorsGate {

    private static final String EXPOSED = "Access-Control-Expose-Headers";

    private final List<CorsFilter> filters;
    private final @Nullable HandlerInterceptor interceptor;

    CorsGate(List<CorsFilter> filters, @Nullable HandlerInterceptor interceptor) {
        this.filters = filters;
        this.interceptor = interceptor;
    }

    /** Writes an answer. */
    interface Answer {
        void write() throws IOException, ServletException;
    }

    /** Lets an answer through with the CORS headers of this exchange; if its origin is not allowed, that is the answer. */
    void pass(HttpServletRequest request, HttpServletResponse response, Answer answer)
            throws IOException, ServletException {
        pass(0, request, response, answer);
    }

    private void pass(int next, HttpServletRequest request, HttpServletResponse response, Answer answer)
            throws IOException, ServletException {
        if (next < filters.size()) {
            filters.get(next).doFilter(request, response, (same, too) -> pass(next + 1, request, response, answer));
        } else if (interceptor == null || isAllowed(interceptor, request, response)) {
            answer.write();
        }
    }

    private boolean isAllowed(HandlerInterceptor cors, HttpServletRequest request, HttpServletResponse response)
            throws ServletException {
        try {
            return cors.preHandle(request, response, this);
        } catch (Exception e) {
            throw new ServletException("CORS could not be checked", e);
        }
    }

    /** Lets scripts of another origin read a header of an answer that is meant for them. */
    static void expose(String header, HttpServletResponse response) {
        if (response.containsHeader("Access-Control-Allow-Origin")
                && response.getHeaders(EXPOSED).stream()
                        .flatMap(line -> Arrays.stream(line.split(",", -1)))
                        .noneMatch(name -> name.strip().equalsIgnoreCase(header))) {
            response.addHeader(EXPOSED, header);
        }
    }
}
