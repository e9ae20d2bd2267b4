// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import java.time.Duration;

/**
 * How much a queue keeps. When it is full, letters that are done with make room first, then open ones, each the oldest
 * first.
 *
 * @param maxCount most letters, 1 or more
 * @param maxBytes most bytes of their contents together, 1 or more
 * @param retention how long a letter stays after it was parked first, positive
 */
public record DeadLetterLimits(int maxCount, long maxBytes, Duration retention) {

    /** 1,000 letters of 64 MB together, for 14 days. */
    public static final DeadLetterLimits DEFAULTS = new DeadLetterLimits(1_000, 64 << 20, Duration.ofDays(14));

    public DeadLetterLimits {
        if (maxCount < 1) {
            throw new IllegalArgumentException("maxCount must be at least 1, but is " + maxCount);
        }
        if (maxBytes < 1) {
            throw new IllegalArgumentException("maxBytes must be at least 1, but is " + maxBytes);
        }
        if (retention.isZero() || retention.isNegative()) {
            throw new IllegalArgumentException("the retention must be positive, but is " + retention);
        }
    }
}
