// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import java.time.Duration;

/**
 * How many replicas must have a claim or an end before it counts, by {@code WAIT}. Immutable.
 *
 * @param replicas how many, 0 for none
 * @param timeout how long to wait for them, from 1 ms
 */
public record ReplicaWait(int replicas, Duration timeout) {

    /** Waits for nobody. */
    public static final ReplicaWait NONE = new ReplicaWait(0, Duration.ofMillis(1));

    /** @throws IllegalArgumentException if a value is out of its range */
    public ReplicaWait {
        if (replicas < 0) {
            throw new IllegalArgumentException("the number of replicas must not be negative, but is " + replicas);
        }
        if (timeout.toMillis() < 1) {
            throw new IllegalArgumentException("the time-out for replicas must be at least 1 ms, but is " + timeout);
        }
    }

    boolean isNeeded() {
        return replicas > 0;
    }
}
