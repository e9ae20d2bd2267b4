// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import dev.idempotency.faults.history.Event.Fault;
import dev.idempotency.faults.history.Event.OfOperation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A history, sorted for those who look into it. */
final class Timeline {

    private final List<Entry> entries;
    private final Map<String, List<Entry>> operations = new LinkedHashMap<>();
    private final List<Stretch> losses = new ArrayList<>();
    private final List<Stretch> outages = new ArrayList<>();

    /** From one moment to another, both included. */
    record Stretch(long from, long to) {

        boolean touches(long first, long last) {
            return from <= last && to >= first;
        }
    }

    /** An event of a known type and its time. */
    record At<E extends Event>(long micros, E event) {}

    Timeline(List<Entry> entries) {
        this.entries = entries;
        Long losing = null;
        Long broken = null;
        for (Entry entry : entries) {
            if (entry.event() instanceof OfOperation known) {
                operations
                        .computeIfAbsent(known.operation(), operation -> new ArrayList<>())
                        .add(entry);
            } else if (entry.event() instanceof Fault fault) {
                switch (fault.kind()) {
                    case LOSING -> losing = entry.micros();
                    case LOST -> {
                        losses.add(new Stretch(losing == null ? Long.MIN_VALUE : losing, entry.micros()));
                        losing = null;
                    }
                    case BROKEN -> broken = entry.micros();
                    case HEALED -> {
                        outages.add(new Stretch(broken == null ? Long.MIN_VALUE : broken, entry.micros()));
                        broken = null;
                    }
                    case STRUCK -> {}
                    case KILLED, PAUSED, RESUMED -> outages.add(new Stretch(entry.micros(), entry.micros()));
                }
            }
        }
        if (losing != null) {
            losses.add(new Stretch(losing, Long.MAX_VALUE));
        }
        if (broken != null) {
            outages.add(new Stretch(broken, Long.MAX_VALUE));
        }
    }

    Set<String> operations() {
        return operations.keySet();
    }

    /** The events of one type of an operation, in order. */
    <E extends Event> List<At<E>> of(String operation, Class<E> type) {
        return select(operations.getOrDefault(operation, List.of()), type);
    }

    /** All events of one type, in order. */
    <E extends Event> List<At<E>> all(Class<E> type) {
        return select(entries, type);
    }

    private static <E extends Event> List<At<E>> select(List<Entry> from, Class<E> type) {
        List<At<E>> found = new ArrayList<>();
        for (Entry entry : from) {
            if (type.isInstance(entry.event())) {
                found.add(new At<>(entry.micros(), type.cast(entry.event())));
            }
        }
        return found;
    }

    /** Whether what the store knew at the earlier of two moments may be forgotten at the later. */
    boolean mayHaveForgotten(long one, long other) {
        return losses.stream().anyMatch(loss -> loss.touches(Math.min(one, other), Math.max(one, other)));
    }

    /** Whether any process or connection was disturbed between two moments. */
    boolean wasDisturbed(long first, long last) {
        return outages.stream().anyMatch(outage -> outage.touches(first, last));
    }
}
