// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.page;

import dev.idempotency.event.Answer;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.event.Operation;
import dev.idempotency.store.PreviousAttempt;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Writes down every delivery: as a filter around everything else it sees the status, and as a listener what the library
 * did, as events are told on the thread that handles the request.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class DeliveryRecorder extends OncePerRequestFilter implements IdempotencyListener {

    private static final ThreadLocal<Told> CURRENT = new ThreadLocal<>();

    private final DeliveryLog log;

    DeliveryRecorder(DeliveryLog log) {
        this.log = log;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getRequestURI().startsWith("/webhooks/");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Instant time = Instant.now();
        long start = System.nanoTime();
        int status = HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
        CURRENT.remove();
        try {
            chain.doFilter(request, response);
            status = response.getStatus();
        } finally {
            Told told = CURRENT.get();
            CURRENT.remove();
            Answer answer = told == null ? null : told.answer();
            log.add(
                    time,
                    request.getRequestURI(),
                    Outcome.of(answer, status),
                    answer == null ? null : answer.code(),
                    status,
                    told == null ? null : told.operation().key().toString(),
                    Duration.ofNanos(System.nanoTime() - start));
        }
    }

    @Override
    public void claimed(Operation operation, int attempts, PreviousAttempt previous) {
        CURRENT.set(new Told(operation, null));
    }

    @Override
    public void answered(Operation operation, Answer answer) {
        CURRENT.set(new Told(operation, answer));
    }

    /** What the library told of the request at hand. */
    private record Told(Operation operation, @Nullable Answer answer) {}
}
