// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.memory;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.LetterChange;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.LetterPage;
import dev.idempotency.deadletter.LetterSteps;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordStateMachine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Dead letters in the heap of one process: neither shared with other instances nor kept over a restart. */
public final class InMemoryDeadLetterQueue implements DeadLetterQueue {

    /** States in the order in which letters make room. */
    private static final List<List<DeadLetterState>> MAKING_ROOM = List.of(
            List.of(DeadLetterState.REDRIVEN, DeadLetterState.DISCARDED),
            List.of(DeadLetterState.OPEN),
            List.of(DeadLetterState.REDRIVING));

    private final DeadLetterLimits limits;
    private final InstantSource clock;
    private final Map<String, Entry> letters = new HashMap<>();
    private final NavigableMap<Long, Entry> inOrder = new TreeMap<>();
    private long usedBytes;
    private long lastPosition;

    /** A queue with {@link DeadLetterLimits#DEFAULTS}. */
    public InMemoryDeadLetterQueue() {
        this(DeadLetterLimits.DEFAULTS);
    }

    /** A queue on a monotonic clock. */
    public InMemoryDeadLetterQueue(DeadLetterLimits limits) {
        this(limits, new MonotonicClock());
    }

    /** A queue on the given clock, which tests can move. */
    public InMemoryDeadLetterQueue(DeadLetterLimits limits, InstantSource clock) {
        this.limits = limits;
        this.clock = clock;
    }

    private static final class Entry {

        private final long position;
        private final Payload content;
        private DeadLetterSummary summary;

        Entry(long position, DeadLetterSummary summary, Payload content) {
            this.position = position;
            this.summary = summary;
            this.content = content;
        }
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public synchronized Parked park(ParkedRequest request) {
        if (request.content().size() > limits.maxBytes()) {
            throw new IllegalArgumentException("a letter of " + request.content() + " does not fit into a queue of "
                    + limits.maxBytes() + " bytes");
        }
        Instant now = now();
        Entry known = current(request.id(), now);
        if (known != null) {
            known.summary = known.summary.seenAgain(now);
            return new Parked(false, List.of());
        }
        List<String> dropped = makeRoom(request.content().size(), now);
        Entry parked = new Entry(++lastPosition, DeadLetterSummary.parked(request, now), request.content());
        letters.put(request.id(), parked);
        inOrder.put(parked.position, parked);
        usedBytes += request.content().size();
        return new Parked(true, dropped);
    }

    private List<String> makeRoom(int bytes, Instant now) {
        List<String> dropped = new ArrayList<>();
        for (List<DeadLetterState> states : MAKING_ROOM) {
            Iterator<Entry> oldestFirst = List.copyOf(inOrder.values()).iterator();
            while (isFull(bytes) && oldestFirst.hasNext()) {
                Entry entry = oldestFirst.next();
                DeadLetterState state = entry.summary.at(now).state();
                if (states.contains(state)) {
                    remove(entry);
                    if (state == DeadLetterState.OPEN || state == DeadLetterState.REDRIVING) {
                        dropped.add(entry.summary.id());
                    }
                }
            }
        }
        return dropped;
    }

    private boolean isFull(int bytes) {
        return letters.size() >= limits.maxCount() || usedBytes + bytes > limits.maxBytes();
    }

    private void remove(Entry entry) {
        letters.remove(entry.summary.id());
        inOrder.remove(entry.position);
        usedBytes -= entry.content.size();
    }

    @Override
    public synchronized boolean seenAgain(String id) {
        Instant now = now();
        Entry known = current(id, now);
        if (known == null) {
            return false;
        }
        known.summary = known.summary.seenAgain(now);
        return true;
    }

    @Override
    public synchronized @Nullable DeadLetter find(String id) {
        Instant now = now();
        Entry known = current(id, now);
        return known == null ? null : known.summary.at(now).with(known.content);
    }

    @Override
    public synchronized LetterPage list(LetterFilter filter, @Nullable String start, int size) {
        LetterPage.requireSize(size);
        Instant now = now();
        forgetExpired(now);
        List<DeadLetterSummary> page = new ArrayList<>();
        long last = 0;
        for (Entry entry : inOrder.headMap(before(start), false).descendingMap().values()) {
            DeadLetterSummary seen = entry.summary.at(now);
            if (filter.accepts(seen)) {
                if (page.size() == size) {
                    return new LetterPage(page, Long.toString(last));
                }
                page.add(seen);
                last = entry.position;
            }
        }
        return new LetterPage(page, null);
    }

    private static long before(@Nullable String start) {
        try {
            return start == null ? Long.MAX_VALUE : Long.parseLong(start);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("no page of this queue begins at '" + start + "'", e);
        }
    }

    @Override
    public synchronized Map<DeadLetterState, Long> counts() {
        Instant now = now();
        forgetExpired(now);
        Map<DeadLetterState, Long> counts = new EnumMap<>(DeadLetterState.class);
        for (DeadLetterState state : DeadLetterState.values()) {
            counts.put(state, 0L);
        }
        letters.values().forEach(entry -> counts.merge(entry.summary.at(now).state(), 1L, Long::sum));
        return counts;
    }

    @Override
    public LetterChange startRedrive(String id, OwnerToken owner, Duration lease, String operator) {
        return change(id, current -> LetterSteps.startRedrive(current, owner, lease, operator, now()));
    }

    @Override
    public LetterChange endRedrive(String id, OwnerToken owner, RedriveOutcome outcome) {
        return change(id, current -> LetterSteps.endRedrive(current, owner, outcome, now()));
    }

    @Override
    public LetterChange discard(String id, String operator, String note) {
        return change(id, current -> LetterSteps.discard(current, operator, note, now()));
    }

    private synchronized LetterChange change(String id, Function<@Nullable DeadLetterSummary, LetterChange> step) {
        Entry known = current(id, now());
        LetterChange result = step.apply(known == null ? null : known.summary);
        if (known != null && result instanceof LetterChange.Changed changed) {
            known.summary = changed.letter();
        }
        return result;
    }

    private @Nullable Entry current(String id, Instant now) {
        forgetExpired(now);
        return letters.get(id);
    }

    private void forgetExpired(Instant now) {
        while (!inOrder.isEmpty() && inOrder.firstEntry().getValue().summary.isExpired(limits, now)) {
            remove(inOrder.firstEntry().getValue());
        }
    }

    private Instant now() {
        return RecordStateMachine.truncate(clock.instant());
    }
}
