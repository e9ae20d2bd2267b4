// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import java.time.Duration;

/**
 * When a whole bizType is suspended because of what its operations do, and for how long. Only attempts that failed count:
 * neither refused calls and replays, nor attempts that left nothing behind.
 *
 * @param failures different operations failed within the window that suspend it, 0 to {@value #MAX_FAILURES}; 0 switches
 *     this rule off
 * @param failureRate per cent of the operations attempted within the window that failed, from which on it is suspended,
 *     0 to 100; 0 switches this rule off
 * @param minimumCalls operations attempted within the window below which the rate says nothing, at least 1
 * @param repeats failed repeats of one operation that are borne: one more suspends it, at least 0; 0 switches this rule off
 * @param window length of the sliding window, positive. The rate moves on in steps of a tenth of it.
 * @param cooldown how long it is suspended
 * @param trials attempts that may run at the same time once that is over, 1 to {@value #MAX_TRIALS}: the first to end
 *     decides, by its success or its failure
 */
public record RoutePolicy(
        int failures, int failureRate, int minimumCalls, int repeats, Duration window, Cooldown cooldown, int trials) {

    /** Most failures a policy may ask for: the state of a route keeps each of them. */
    public static final int MAX_FAILURES = 200;

    /** Most trials at the same time. */
    public static final int MAX_TRIALS = 20;

    /** Never suspends. */
    public static final RoutePolicy OFF =
            new RoutePolicy(0, 0, 20, 0, Duration.ofSeconds(60), Cooldown.of(Duration.ofSeconds(30)), 1);

    public RoutePolicy {
        if (failures < 0 || failures > MAX_FAILURES) {
            throw new IllegalArgumentException(
                    "route-breaker.failures must be from 0 to " + MAX_FAILURES + ", but is " + failures);
        }
        if (failureRate < 0 || failureRate > 100) {
            throw new IllegalArgumentException(
                    "route-breaker.failure-rate must be from 0 to 100, but is " + failureRate);
        }
        if (minimumCalls < 1) {
            throw new IllegalArgumentException(
                    "route-breaker.minimum-calls must be at least 1, but is " + minimumCalls);
        }
        if (repeats < 0) {
            throw new IllegalArgumentException("route-breaker.repeats must not be negative, but is " + repeats);
        }
        if (window.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("route-breaker.window must be at least 1ms, but is " + window);
        }
        if (trials < 1 || trials > MAX_TRIALS) {
            throw new IllegalArgumentException(
                    "route-breaker.trials must be from 1 to " + MAX_TRIALS + ", but is " + trials);
        }
    }

    /** Whether any of its rules is on. */
    public boolean isOn() {
        return failures > 0 || failureRate > 0 || repeats > 0;
    }
}
