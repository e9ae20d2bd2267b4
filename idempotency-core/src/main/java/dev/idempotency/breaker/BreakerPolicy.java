// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import java.time.Duration;

/**
 * When an operation that keeps failing is cooled down, and for how long.
 *
 * @param failures failures within the window that open the breaker, 0 to {@value #MAX_FAILURES}; 0 switches it off
 * @param window length of the sliding window, positive; a failure exactly this old no longer counts
 * @param cooldown how long the operation is refused once the breaker has opened
 */
public record BreakerPolicy(int failures, Duration window, Cooldown cooldown) {

    /** Most failures a policy may ask for: a record keeps the time of each. */
    public static final int MAX_FAILURES = 50;

    /** 3 failures within 5 seconds cool an operation for 30 seconds. */
    public static final BreakerPolicy DEFAULT = new BreakerPolicy(3, Duration.ofSeconds(5), Duration.ofSeconds(30));

    /** Never opens. */
    public static final BreakerPolicy OFF = new BreakerPolicy(0, Duration.ofSeconds(5), Duration.ofSeconds(30));

    public BreakerPolicy {
        if (failures < 0 || failures > MAX_FAILURES) {
            throw new IllegalArgumentException(
                    "breaker.failures must be from 0 to " + MAX_FAILURES + ", but is " + failures);
        }
        if (window.isZero() || window.isNegative()) {
            throw new IllegalArgumentException("breaker.window must be positive, but is " + window);
        }
    }

    /** A policy whose cool-downs are all of one length, which is positive. */
    public BreakerPolicy(int failures, Duration window, Duration cooldown) {
        this(failures, window, Cooldown.of(cooldown));
    }
}
