// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

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
 */
public record SlidingWindow(
        List<Instant> failures, @Nullable Instant cooledUntil) {

    /** No failure on record. */
    public static final SlidingWindow EMPTY = new SlidingWindow(List.of(), null);

    public SlidingWindow {
        failures = List.copyOf(failures);
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
        boolean opens = trialFailed || recent.size() >= policy.failures();
        return new SlidingWindow(recent, opens ? now.plus(policy.cooldown()) : null);
    }
}
