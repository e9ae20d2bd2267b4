// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.metrics;

import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.Map;

/**
 * How many dead letters there are of each state: {@code idempotency.dead.letters}. The queue is asked at most every
 * five seconds; while it gives no answer there is no number.
 */
public final class DeadLetterMeters implements MeterBinder {

    private final RecentAnswer<Map<DeadLetterState, Long>> counts;

    public DeadLetterMeters(DeadLetterQueue queue) {
        this.counts = new RecentAnswer<>(queue::counts, Map.of());
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

    private double count(DeadLetterState state) {
        Long count = counts.get().get(state);
        return count == null ? Double.NaN : count;
    }
}
