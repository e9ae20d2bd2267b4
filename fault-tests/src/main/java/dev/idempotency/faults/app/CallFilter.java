// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;

/** Outside of everything else: knows which call it is, and holds its answer up while it is still in the container's buffer. */
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
        try {
            chain.doFilter(request, response);
            holds.at(Point.BEFORE_RESPONSE);
        } finally {
            CurrentCall.set(null);
        }
    }
}
