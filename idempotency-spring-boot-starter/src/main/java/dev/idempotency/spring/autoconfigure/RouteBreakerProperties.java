// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When failures suspend a whole bizType; off unless failures, failure-rate or repeats is set.
 *
 * @param failures Different operations that fail within the window and suspend the bizType; 0 switches this rule off.
 *     Default: 0.
 * @param failureRate Per cent of the operations attempted within the window that fail and suspend the bizType; 0 switches
 *     this rule off. Default: 0.
 * @param minimumCalls Operations attempted within the window below which the rate says nothing. Default: 20.
 * @param repeats Failed repeats of one operation that are borne, one more suspends the bizType; 0 switches this rule off.
 *     Default: 0.
 * @param window Length of the sliding window. Default: 60s.
 * @param cooldown How long the bizType is suspended at first. Default: 30s.
 * @param cooldownMultiplier What each further suspension is longer by, until a trial succeeds. Default: 1.
 * @param maxCooldown Longest suspension where they grow. Default: 1h.
 * @param trials Requests that may run at the same time after a suspension until one of them decides. Default: 1.
 */
public record RouteBreakerProperties(
        @Nullable Integer failures,
        @Nullable Integer failureRate,
        @Nullable Integer minimumCalls,
        @Nullable Integer repeats,
        @Nullable Duration window,
        @Nullable Duration cooldown,
        @Nullable Double cooldownMultiplier,
        @Nullable Duration maxCooldown,
        @Nullable Integer trials) {}
