// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** Outside of everything else: knows which call it is, and holds its answer up before its first byte has left. */
final class CallFilter extends HttpFilter {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Holds holds;

    CallFilter(Holds holds) {
        this.holds = holds;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        CurrentCall.set(CurrentCall.of(request));
        ContentCachingResponseWrapper kept = new ContentCachingResponseWrapper(response);
        try {
            chain.doFilter(request, kept);
            holds.at(Point.BEFORE_RESPONSE);
            kept.copyBodyToResponse();
        } finally {
            CurrentCall.set(null);
        }
    }
}
