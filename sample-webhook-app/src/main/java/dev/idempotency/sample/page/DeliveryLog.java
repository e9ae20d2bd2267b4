// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.page;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The latest deliveries and a count of all of them. Remembers {@value #CAPACITY}. May be called from any thread. */
@Component
class DeliveryLog {

    private static final int CAPACITY = 100;

    private final Deque<Delivery> latestFirst = new ArrayDeque<>(CAPACITY);
    private final Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
    private long number;

    DeliveryLog() {
        for (Outcome outcome : Outcome.values()) {
            counts.put(outcome, 0L);
        }
    }

    synchronized void add(
            Instant time,
            String endpoint,
            Outcome outcome,
            @Nullable String detail,
            int status,
            @Nullable String recordKey,
            Duration duration) {
        if (latestFirst.size() == CAPACITY) {
            latestFirst.removeLast();
        }
        latestFirst.addFirst(
                new Delivery(++number, time, endpoint, outcome, detail, status, recordKey, duration.toMillis()));
        counts.merge(outcome, 1L, Long::sum);
    }

    synchronized List<Delivery> latest() {
        return List.copyOf(latestFirst);
    }

    synchronized Map<Outcome, Long> counts() {
        return new EnumMap<>(counts);
    }
}
