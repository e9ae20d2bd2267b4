// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.Cooldown;
import dev.idempotency.breaker.RoutePolicy;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.spring.web.ProtectedEndpoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.springframework.web.util.pattern.PathPattern;

/** What is protected and how, as texts and numbers. */
final class Contract implements Supplier<Map<String, Object>> {

    private final IdempotencyProperties properties;
    private final EndpointRegistry endpoints;
    private final Map<String, Object> places;

    /**
     * A contract.
     *
     * @param places where things are kept
     */
    Contract(IdempotencyProperties properties, EndpointRegistry endpoints, Map<String, Object> places) {
        this.properties = properties;
        this.endpoints = endpoints;
        this.places = places;
    }

    @Override
    public Map<String, Object> get() {
        Map<String, Object> contract = new LinkedHashMap<>(places);
        contract.put("headerNames", properties.headerNames());
        contract.put(
                "keyParts",
                properties.keyParts().stream().sorted().map(Contract::word).toList());
        contract.put("businessId", properties.businessId());
        contract.put("replayedHeader", properties.replayedHeader());
        Map<String, Object> policies = new TreeMap<>();
        List<EndpointDescription> described = endpoints.descriptions();
        described.forEach(endpoint -> policies.put(endpoint.endpoint().bizType(), policy(endpoint.endpoint())));
        contract.put("bizTypes", policies);
        contract.put("endpoints", described.stream().map(Contract::endpoint).toList());
        return contract;
    }

    private static Map<String, Object> endpoint(EndpointDescription described) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("handler", described.handler());
        view.put(
                "paths",
                described.patterns().stream().map(PathPattern::getPatternString).toList());
        view.put("methods", List.copyOf(described.methods()));
        view.put("bizType", described.endpoint().bizType());
        view.put("businessIdByExpression", described.byExpression());
        view.putAll(policy(described.endpoint()));
        return view;
    }

    private static Map<String, Object> policy(ProtectedEndpoint endpoint) {
        IdempotencyPolicy policy = endpoint.policy();
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("level", word(policy.level()));
        view.put("ttl", policy.ttl().toString());
        view.put("lease", policy.lease().toString());
        view.put("missingKey", word(endpoint.missingKey()));
        view.put("onDuplicate", word(policy.onDuplicate()));
        view.put("onCompleted", word(policy.onCompleted()));
        view.put("onOrphan", word(policy.onOrphan()));
        view.put("storeFailure", word(policy.storeFailure()));
        view.put("transactional", policy.transactional());
        view.put("breaker", breaker(policy.breaker()));
        if (policy.routeBreaker().isOn()) {
            view.put("routeBreaker", routeBreaker(policy.routeBreaker()));
        }
        return view;
    }

    private static Map<String, Object> breaker(BreakerPolicy breaker) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("failures", breaker.failures());
        view.put("window", breaker.window().toString());
        addCooldown(view, breaker.cooldown());
        return view;
    }

    private static Map<String, Object> routeBreaker(RoutePolicy breaker) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("failures", breaker.failures());
        view.put("failureRate", breaker.failureRate());
        view.put("minimumCalls", breaker.minimumCalls());
        view.put("repeats", breaker.repeats());
        view.put("window", breaker.window().toString());
        addCooldown(view, breaker.cooldown());
        view.put("trials", breaker.trials());
        return view;
    }

    private static void addCooldown(Map<String, Object> view, Cooldown cooldown) {
        view.put("cooldown", cooldown.first().toString());
        if (cooldown.multiplier() > 1) {
            view.put("cooldownMultiplier", cooldown.multiplier());
            view.put("maxCooldown", cooldown.max().toString());
        }
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
