// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingRequestWrapper;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** An application's own filter, behind ours; does what the header {@code X-Inner} says. */
@Component
@Order(100)
class InnerFilter extends OncePerRequestFilter {

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String inner = request.getHeader("X-Inner");
        switch (inner == null ? "" : inner) {
            case "send-error-409" -> response.sendError(409, "no");
            case "send-error-500" -> response.sendError(500, "no");
            case "throw" -> throw new IOException("the filter broke");
            case "throw-afterwards" -> {
                chain.doFilter(request, response);
                throw new IllegalStateException("the filter broke");
            }
            case "answer" -> {
                Effects.happen(request.getParameter("note") + " in the filter");
                response.setStatus(202);
                response.getWriter().print("by the filter");
            }
            case "wrap" -> {
                ContentCachingResponseWrapper caching = new ContentCachingResponseWrapper(response);
                chain.doFilter(new ContentCachingRequestWrapper(request, 1000), caching);
                caching.setHeader("X-Wrapped", Integer.toString(caching.getContentSize()));
                caching.copyBodyToResponse();
            }
            default -> chain.doFilter(request, response);
        }
    }
}
