// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.InflaterInputStream;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingRequestWrapper;

/** An application's own filter, in front of ours; reads the body before it in the way that the header {@code X-Front} says. */
@Component
@Order(-200)
class FrontFilter extends OncePerRequestFilter {

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String front = request.getHeader("X-Front");
        switch (front == null ? "" : front) {
            case "parameters" -> {
                request.getParameterMap();
                chain.doFilter(request, response);
            }
            case "caching" -> {
                ContentCachingRequestWrapper caching = new ContentCachingRequestWrapper(request, 10_000);
                caching.getParameterMap();
                chain.doFilter(caching, response);
            }
            case "serves-again" ->
                chain.doFilter(new ServesAgain(request, request.getInputStream().readAllBytes()), response);
            case "inflate" ->
                chain.doFilter(
                        new ServesAgain(request, new InflaterInputStream(request.getInputStream()).readAllBytes()),
                        response);
            default -> chain.doFilter(request, response);
        }
    }

    private static final class ServesAgain extends HttpServletRequestWrapper {

        private final byte[] body;

        ServesAgain(HttpServletRequest request, byte[] body) {
            super(request);
            this.body = body;
        }

        @Override
        public ServletInputStream getInputStream() {
            ByteArrayInputStream in = new ByteArrayInputStream(body);
            return new ServletInputStream() {
                @Override
                public boolean isFinished() {
                    return in.available() == 0;
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setReadListener(ReadListener listener) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public int read() {
                    return in.read();
                }
            };
        }
    }
}
