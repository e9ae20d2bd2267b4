// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * Everything that happened, in the order in which it became known. Whoever tells of an event goes on only when it is
 * written down, so that causes stand before their effects. May be used from any thread.
 */
public final class History {

    private final List<Entry> entries = new ArrayList<>();
    private long effects;

    /** Writes an event down. */
    public synchronized void add(Event event) {
        entries.add(new Entry(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()), event));
    }

    /** Writes an effect down under the next id, which is returned. */
    public synchronized long addEffect(LongFunction<Event.Effect> effect) {
        add(effect.apply(++effects));
        return effects;
    }

    /** Names of the operations that have been called by now. */
    public synchronized Set<String> operations() {
        return entries.stream()
                .map(Entry::event)
                .filter(Event.Called.class::isInstance)
                .map(event -> ((Event.Called) event).operation())
                .collect(Collectors.toSet());
    }

    /** What there is by now. */
    public synchronized List<Entry> entries() {
        return List.copyOf(entries);
    }
}
