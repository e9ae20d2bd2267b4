// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import java.time.Duration;

/**
 * A bizType that is suspended, or waits for a trial to succeed.
 *
 * @param remaining how long until trials may run; zero if they may
 */
public record SuspendedRoute(String bizType, Suspension suspension, Duration remaining) {}
