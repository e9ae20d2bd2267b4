// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.operations;

import static org.awaitility.Awaitility.await;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Where a request that says so waits, with its claim made and its handler not yet run. */
@TestConfiguration
class Gate implements HandlerInterceptor, WebMvcConfigurer {

    static final String WAIT = "X-Wait";

    private final Semaphore arrived = new Semaphore(0);
    private final Semaphore open = new Semaphore(0);

    void awaitArrival() {
        await().atMost(Duration.ofMinutes(1)).until(arrived::tryAcquire);
    }

    /** Lets one request through. */
    void letThrough() {
        open.release();
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).addPathPatterns("/webhooks/**");
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws InterruptedException {
        if (request.getHeader(WAIT) != null) {
            arrived.release();
            open.acquire();
        }
        return true;
    }
}
