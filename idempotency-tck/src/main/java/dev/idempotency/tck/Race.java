// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Two threads that meet at a gate, round after round, and go on in the same instant. The gate spins: threads that were
 * parked start so far apart that a racy store passes.
 *
 * @param <S> what they race for
 * @param <L> what the left one is told
 * @param <R> what the right one is told
 */
final class Race<S, L, R> {

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int SPINS_BEFORE_YIELDING = 5_000;

    private final int rounds;
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicReferenceArray<S> subjects;
    private final List<L> lefts;
    private final List<R> rights;

    private Race(int rounds) {
        this.rounds = rounds;
        this.subjects = new AtomicReferenceArray<>(rounds);
        this.lefts = new ArrayList<>(rounds);
        this.rights = new ArrayList<>(rounds);
    }

    /** What came of one round. */
    record Round<S, L, R>(S subject, L left, R right) {}

    /**
     * Runs a race.
     *
     * @param setUp makes the subject of a round before both are let go
     * @return all rounds
     */
    static <S, L, R> List<Round<S, L, R>> run(
            int rounds, Supplier<S> setUp, Function<S, L> left, Function<S, R> right) {
        return new Race<S, L, R>(rounds).run(setUp, left, right);
    }

    private List<Round<S, L, R>> run(Supplier<S> setUp, Function<S, L> left, Function<S, R> right) {
        Thread one = contender("tck-race-left", round -> {
            subjects.set(round, setUp.get());
            meet(round);
            lefts.add(left.apply(subjects.get(round)));
        });
        Thread two = contender("tck-race-right", round -> {
            meet(round);
            rights.add(right.apply(subjects.get(round)));
        });
        join(one);
        join(two);
        if (failure.get() != null) {
            throw new AssertionError("a thread of the race failed", failure.get());
        }
        List<Round<S, L, R>> results = new ArrayList<>(rounds);
        for (int i = 0; i < rounds; i++) {
            results.add(new Round<>(subjects.get(i), lefts.get(i), rights.get(i)));
        }
        return results;
    }

    private Thread contender(String name, IntConsumer round) {
        Runnable allRounds = () -> {
            try {
                for (int i = 0; i < rounds && failure.get() == null; i++) {
                    round.accept(i);
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        };
        Thread thread = new Thread(allRounds, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @SuppressWarnings(
            "ThreadPriorityCheck") // only keeps a busy machine from running the spinner instead of the spun for
    private void meet(int round) {
        arrived.incrementAndGet();
        for (int spins = 0; arrived.get() < 2 * (round + 1); spins++) {
            if (failure.get() != null) {
                throw new IllegalStateException("the other thread has failed");
            }
            if (spins < SPINS_BEFORE_YIELDING) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    private void join(Thread thread) {
        try {
            thread.join(LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure.compareAndSet(null, e);
        }
        if (thread.isAlive()) {
            failure.compareAndSet(null, new AssertionError(thread.getName() + " did not end within " + LIMIT));
        }
    }
}
