// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import dev.idempotency.spring.operator.RedriveTicket;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Makes a handler slow or lets it fail when the sender asks for it. For demonstration only: do not copy this class.
 *
 * <p>{@value #DELAY} has milliseconds, at most {@value #MAX_DELAY_MILLIS}. {@value #FAIL} has {@code true}. Headers are
 * no part of a request's fingerprint, so the same request with and without them is the same operation.
 */
@Component
public class DemoSwitch implements HandlerInterceptor, WebMvcConfigurer {

    /** Header that makes the handler slow. */
    public static final String DELAY = "X-Sample-Delay";

    /** Header that lets the handler fail. */
    public static final String FAIL = "X-Sample-Fail";

    private static final int MAX_DELAY_MILLIS = 30_000;

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).addPathPatterns("/webhooks/**");
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws InterruptedException {
        Thread.sleep(delayMillis(request));
        boolean mended = RedriveTicket.of(request) != null; // an operator redrives once the cause is gone
        if (Boolean.parseBoolean(request.getHeader(FAIL)) && !mended) {
            throw new ResponseStatusException(HttpStatus.INTERNAL_SERVER_ERROR, FAIL + " asked for it");
        }
        return true;
    }

    private static int delayMillis(HttpServletRequest request) {
        try {
            int millis = request.getIntHeader(DELAY);
            return Math.min(Math.max(millis, 0), MAX_DELAY_MILLIS);
        } catch (NumberFormatException e) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, DELAY + " must have milliseconds", e);
        }
    }
}
