// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.Cooldown;
import dev.idempotency.breaker.RoutePolicy;
import dev.idempotency.spring.autoconfigure.BizTypeProperties.Breaker;
import java.time.Duration;
import java.util.List;

/** Combines what is said of breakers; the first that says something counts, then ours. */
final class BreakerLayers {

    private BreakerLayers() {}

    static BreakerPolicy operation(List<Breaker> layers) {
        BreakerPolicy ours = BreakerPolicy.DEFAULT;
        Cooldown cooldown = cooldown(
                "breaker",
                EndpointPolicies.first(
                        layers, Breaker::cooldown, ours.cooldown().first()),
                EndpointPolicies.first(
                        layers, Breaker::cooldownMultiplier, ours.cooldown().multiplier()),
                EndpointPolicies.first(
                        layers, Breaker::maxCooldown, ours.cooldown().max()));
        return new BreakerPolicy(
                EndpointPolicies.first(layers, Breaker::failures, ours.failures()),
                EndpointPolicies.first(layers, Breaker::window, ours.window()),
                cooldown);
    }

    static RoutePolicy route(List<RouteBreakerProperties> layers) {
        RoutePolicy ours = RoutePolicy.OFF;
        Cooldown cooldown = cooldown(
                "route-breaker",
                EndpointPolicies.first(
                        layers,
                        RouteBreakerProperties::cooldown,
                        ours.cooldown().first()),
                EndpointPolicies.first(
                        layers,
                        RouteBreakerProperties::cooldownMultiplier,
                        ours.cooldown().multiplier()),
                EndpointPolicies.first(
                        layers,
                        RouteBreakerProperties::maxCooldown,
                        ours.cooldown().max()));
        return new RoutePolicy(
                EndpointPolicies.first(layers, RouteBreakerProperties::failures, ours.failures()),
                EndpointPolicies.first(layers, RouteBreakerProperties::failureRate, ours.failureRate()),
                EndpointPolicies.first(layers, RouteBreakerProperties::minimumCalls, ours.minimumCalls()),
                EndpointPolicies.first(layers, RouteBreakerProperties::repeats, ours.repeats()),
                EndpointPolicies.first(layers, RouteBreakerProperties::window, ours.window()),
                cooldown,
                EndpointPolicies.first(layers, RouteBreakerProperties::trials, ours.trials()));
    }

    private static Cooldown cooldown(String breaker, Duration first, double multiplier, Duration max) {
        try {
            return new Cooldown(first, multiplier, max);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(breaker + "." + e.getMessage(), e);
        }
    }
}
