// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.breaker.RouteState;
import dev.idempotency.breaker.Suspension;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a route stood when the store was asked last. The time that is left is the store's, counted down here.
 *
 * @param suspension {@code null} unless it is suspended or waits for a trial
 * @param untilNanos when trials may run
 * @param askedNanos when the store was asked
 */
record RouteView(@Nullable Suspension suspension, long untilNanos, long askedNanos) {

    static RouteView of(RouteState state, Instant now, long askedNanos) {
        Suspension suspension = state.suspension();
        Duration left = suspension == null ? Duration.ZERO : Duration.between(now, suspension.until());
        return new RouteView(suspension, askedNanos + left.toNanos(), askedNanos);
    }

    /** Whether nothing but trials may run. */
    boolean isBarred() {
        return suspension != null;
    }

    /** How long until trials may run; zero or less if they may. */
    Duration remaining() {
        return Duration.ofNanos(untilNanos - System.nanoTime());
    }
}
