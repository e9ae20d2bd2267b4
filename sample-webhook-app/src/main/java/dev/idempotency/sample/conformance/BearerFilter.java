// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.conformance;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import org.springframework.context.annotation.Profile;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Believes every bearer token {@code subject.anything}. In the place of a real login, before the library's filter. */
@Component
@Profile("conformance")
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
class BearerFilter extends OncePerRequestFilter {

    private static final String BEARER = "Bearer ";

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String authorization = request.getHeader("Authorization");
        if (authorization == null || !authorization.startsWith(BEARER)) {
            chain.doFilter(request, response);
            return;
        }
        String token = authorization.substring(BEARER.length());
        String subject = token.substring(0, (token + ".").indexOf('.'));
        chain.doFilter(
                new HttpServletRequestWrapper(request) {
                    @Override
                    public Principal getUserPrincipal() {
                        return () -> subject;
                    }
                },
                response);
    }
}
