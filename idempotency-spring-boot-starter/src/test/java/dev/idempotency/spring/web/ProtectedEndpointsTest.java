// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.policy.MissingKey;
import dev.idempotency.spring.identity.ArgumentBinder;
import dev.idempotency.spring.identity.IdentitySettings;
import dev.idempotency.spring.identity.KeyPart;
import dev.idempotency.spring.identity.RequestIdentifier;
import dev.idempotency.spring.web.FailureClassifier.Attempt;
import dev.idempotency.spring.web.ProtectedEndpoints.Deliveries;
import dev.idempotency.spring.web.ProtectedEndpoints.Route;
import jakarta.servlet.http.MappingMatch;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletMapping;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.util.pattern.PathPatternParser;

class ProtectedEndpointsTest {

    private static ProtectedEndpoints routed(String pattern) {
        IdempotencyPolicy policy = IdempotencyPolicy.defaults("order");
        IdentitySettings identity = new IdentitySettings(
                "shop", null, EnumSet.allOf(KeyPart.class), List.of("order_id"), true, null, null, null);
        ProtectedEndpoint endpoint = new ProtectedEndpoint(
                policy,
                MissingKey.REJECT,
                new OutcomeRules("order", new StatusSet(List.of("2xx")), Map.of(), Attempt::byPolicy),
                new RequestIdentifier("order", policy.level(), List.of(), identity, null, new ArgumentBinder(() -> {
                    throw new AssertionError("nothing is to be bound");
                })));
        Route route = new Route(PathPatternParser.defaultInstance.parse(pattern), Set.of(), endpoint);
        return new ProtectedEndpoints(
                new Surroundings(List.of(), List.of(), Set.of("plain")),
                Map.of(),
                List.of(PathPatternParser.defaultInstance.parse("/x")),
                List.of(route),
                Deliveries.NONE,
                true);
    }

    @ParameterizedTest
    @CsvSource({
        "/shop/plain/x, /x, true",
        "/shop/%70lain/x, /x, true",
        "/shop/plain;a=1/x, /x, true",
        "/shop/plain/%78, /x, true",
        "/shop/plain/y/../x, /x, true",
        "/shop/plain//x/, /x/, true",
        "/shop/plain/%2578, /%78, false",
        "/shop/plain/y, /y, false"
    })
    void aRouteIsOfThePathBehindTheContextPathHoweverItIsSpelled(String uri, String pathInfo, boolean found) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", uri);
        request.setContextPath("/shop");
        request.setServletPath("/plain");
        request.setPathInfo(pathInfo);
        request.setHttpServletMapping(new MockHttpServletMapping("x", "/plain/*", "plain", MappingMatch.PATH));
        ProtectedEndpoints endpoints = routed("/plain/x");

        assertThat(endpoints.find(request) != null).isEqualTo(found);
        assertThat(endpoints.takesParts(request)).isFalse();
    }
}
