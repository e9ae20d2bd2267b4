// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recent failures of one operation.
 *
 * @param failures when they happened, oldest first, at most {@link BreakerPolicy#MAX_FAILURES}
 * @param cooledUntil end of the latest cool-down, past or future; {@code null} if the breaker has not opened since the
 *     last success. While it is set, the next attempt is the trial: its failure opens the breaker at once.
 * @param cooldown length of that cool-down, which the next one grows from; {@code null} if there was none
 */
public record SlidingWindow(
        List<Instant> failures,
        @Nullable Instant cooledUntil,
        @Nullable Duration cooldown) {

    /** No failure on record. */
    public static final SlidingWindow EMPTY = closed(List.of());

    public SlidingWindow {
        failures = List.copyOf(failures);
    }

    /** These failures, and no cool-down since the last success. */
    public static SlidingWindow closed(List<Instant> failures) {
        return new SlidingWindow(failures, null, null);
    }

    /** Whether the operation is to be refused at this instant; the end of the cool-down no longer is. */
    public boolean isCoolingDown(Instant now) {
        return cooledUntil != null && now.isBefore(cooledUntil);
    }

    /** The window with one more failure, opened ({@link #isCoolingDown}) if the policy says so. */
    public SlidingWindow afterFailure(BreakerPolicy policy, Instant now) {
        if (policy.failures() == 0) {
            return EMPTY;
        }
        Instant start = now.minus(policy.window());
        List<Instant> recent = new ArrayList<>();
        for (Instant failure : failures) {
            if (failure.isAfter(start)) {
                recent.add(failure);
            }
        }
        recent.add(now);
        if (recent.size() > policy.failures()) {
            recent = recent.subList(recent.size() - policy.failures(), recent.size());
        }
        boolean trialFailed = cooledUntil != null;
        if (!trialFailed && recent.size() < policy.failures()) {
            return closed(recent);
        }
        Duration next = policy.cooldown().after(cooldown);
        return new SlidingWindow(recent, now.plus(next), next);
    }
}
