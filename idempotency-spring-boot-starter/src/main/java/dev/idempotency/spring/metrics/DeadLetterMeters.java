// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.metrics;

import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.store.StoreUnavailableException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many dead letters there are of each state: {@code idempotency.dead.letters}. The queue is asked at most every
 * {@value #SECONDS} seconds; while it gives no answer there is no number.
 */
public final class DeadLetterMeters implements MeterBinder {

    private static final Logger log = LoggerFactory.getLogger(DeadLetterMeters.class);
    private static final int SECONDS = 5;

    private final DeadLetterQueue queue;
    private Map<DeadLetterState, Long> counts = Map.of();
    private long askedNanos = System.nanoTime() - Duration.ofSeconds(SECONDS).toNanos();

    public DeadLetterMeters(DeadLetterQueue queue) {
        this.queue = queue;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (DeadLetterState state : DeadLetterState.values()) {
            Gauge.builder("idempotency.dead.letters", () -> count(state))
                    .description("Dead letters by state")
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    private synchronized double count(DeadLetterState state) {
        long now = System.nanoTime();
        if (now - askedNanos >= Duration.ofSeconds(SECONDS).toNanos()) {
            try {
                counts = queue.counts();
            } catch (StoreUnavailableException e) {
                log.debug("Dead letters could not be counted.", e);
                counts = Map.of();
            } finally {
                // Only now, or a queue that gives no answer for longer than that is waited for once for each state.
                askedNanos = System.nanoTime();
            }
        }
        Long count = counts.get(state);
        return count == null ? Double.NaN : count;
    }
}
