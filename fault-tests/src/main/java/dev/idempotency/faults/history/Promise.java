// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import java.time.Duration;

/**
 * What the settings of a run promise.
 *
 * @param lease how long a claim holds if its owner goes silent
 * @param exactlyOnce whether a further effect is a violation even if it is reported
 * @param uncertain whether an orphan is left to a person
 */
public record Promise(Duration lease, boolean exactlyOnce, boolean uncertain) {

    /** At most one effect, or a report of every further one. */
    public static Promise reported(Duration lease) {
        return new Promise(lease, false, false);
    }

    /** One effect. */
    public static Promise exactlyOnce(Duration lease) {
        return new Promise(lease, true, false);
    }

    /** At most one effect; where it may or may not have happened, a person is told. */
    public static Promise uncertain(Duration lease) {
        return new Promise(lease, true, true);
    }

    long leaseMicros() {
        return lease.toNanos() / 1_000;
    }
}
