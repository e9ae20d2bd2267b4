// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the operations of a bizType did of late. Each operation counts once, by its latest failure.
 *
 * @param failures operations that failed, the latest failure last, at most {@link RoutePolicy#MAX_FAILURES}
 * @param tenths how many were attempted and failed in each tenth of the window, oldest first; only if a rate has to know.
 *     Where more failed than are kept, one that fails again may be counted twice.
 */
record RouteWindow(List<Failed> failures, List<Tenth> tenths) {

    static final RouteWindow EMPTY = new RouteWindow(List.of(), List.of());

    private static final int TENTHS = 10;

    RouteWindow {
        failures = List.copyOf(failures);
        tenths = List.copyOf(tenths);
    }

    /** An operation and when it failed last. */
    record Failed(long operation, Instant at) {}

    /** Operations of a part of the window, which is that number of parts after 1970. */
    record Tenth(long number, long attempted, long failed) {}

    RouteWindow succeeded(RoutePolicy policy, long operations, Instant now) {
        return new RouteWindow(recent(policy, now), counted(policy, now, operations, 0, null));
    }

    RouteWindow failed(RoutePolicy policy, long operation, Instant now) {
        List<Failed> recent = recent(policy, now);
        Failed before = null;
        for (Failed failure : recent) {
            if (failure.operation() == operation) {
                before = failure;
            }
        }
        recent.remove(before);
        recent.add(new Failed(operation, now));
        if (recent.size() > RoutePolicy.MAX_FAILURES) {
            recent.remove(0);
        }
        return new RouteWindow(
                recent,
                policy.failureRate() == 0
                        ? List.of()
                        : counted(policy, now, 1, 1, before == null ? null : before.at()));
    }

    /** Whether the share of failures is as great as the policy bears, or greater. */
    boolean exceeds(RoutePolicy policy) {
        long attempted = tenths.stream().mapToLong(Tenth::attempted).sum();
        long failed = tenths.stream().mapToLong(Tenth::failed).sum();
        return attempted >= policy.minimumCalls() && failed * 100 >= policy.failureRate() * attempted;
    }

    private List<Failed> recent(RoutePolicy policy, Instant now) {
        Instant start = now.minus(policy.window());
        List<Failed> recent = new ArrayList<>();
        for (Failed failure : failures) {
            if (failure.at().isAfter(start)) {
                recent.add(failure);
            }
        }
        return recent;
    }

    /**
     * The counts with some more.
     *
     * @param moved when an operation that is counted now was counted before, {@code null} if it was not
     */
    private List<Tenth> counted(RoutePolicy policy, Instant now, long attempted, long failed, @Nullable Instant moved) {
        long current = number(policy, now);
        List<Tenth> counted = new ArrayList<>();
        for (Tenth tenth : tenths) {
            if (tenth.number() > current - TENTHS && tenth.number() < current) {
                boolean has = moved != null && tenth.number() == number(policy, moved);
                counted.add(has ? new Tenth(tenth.number(), tenth.attempted() - 1, tenth.failed() - 1) : tenth);
            } else if (tenth.number() == current) {
                boolean has = moved != null && number(policy, moved) == current;
                attempted += tenth.attempted() - (has ? 1 : 0);
                failed += tenth.failed() - (has ? 1 : 0);
            }
        }
        counted.add(new Tenth(current, attempted, failed));
        return counted;
    }

    private static long number(RoutePolicy policy, Instant at) {
        long tenth = Math.max(1, policy.window().toNanos() / 1_000 / TENTHS);
        return ChronoUnit.MICROS.between(Instant.EPOCH, at) / tenth;
    }
}
