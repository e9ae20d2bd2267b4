// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

import dev.idempotency.Idempotent;
import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.Cooldown;
import dev.idempotency.breaker.RoutePolicy;
import dev.idempotency.event.AttemptEnd;
import dev.idempotency.json.JsonPointer;
import dev.idempotency.policy.IdempotencyLevel;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.policy.MissingKey;
import dev.idempotency.policy.OnCompleted;
import dev.idempotency.policy.OnDuplicate;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.policy.StoreFailure;
import dev.idempotency.spring.autoconfigure.EndpointPolicies.EndpointPolicy;
import dev.idempotency.spring.transaction.BusinessTransactions;
import dev.idempotency.spring.web.OutcomeRules;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class EndpointPoliciesTest {

    @Idempotent(bizType = "order")
    private static final class Plain {}

    @Idempotent
    private static final class Unnamed {}

    @Idempotent(
            bizType = "order",
            timeoutSeconds = 20,
            ttl = "PT2M",
            level = IdempotencyLevel.BUSINESS_ID,
            missingKey = MissingKey.BYPASS,
            onDuplicate = OnDuplicate.WAIT,
            onCompleted = OnCompleted.CONFLICT,
            onOrphan = OnOrphan.UNCERTAIN,
            storeFailure = StoreFailure.OPEN,
            transactional = true)
    private static final class Explicit {}

    @Idempotent(bizType = "order", timeoutSeconds = 10)
    private static final class ShortTimeout {}

    private final Map<String, String> properties = new LinkedHashMap<>();

    private EndpointPolicies policies() {
        return new EndpointPolicies(
                new Binder(new MapConfigurationPropertySource(properties))
                        .bindOrCreate("idempotency", IdempotencyProperties.class),
                mock(BusinessTransactions.class));
    }

    private EndpointPolicy annotated(Class<?> type) {
        return policies().annotated(type.getAnnotation(Idempotent.class), type.getSimpleName());
    }

    private static String statuses(EndpointPolicy policy) {
        StringBuilder kept = new StringBuilder();
        for (int status : new int[] {200, 204, 299, 302, 400, 402, 404, 500}) {
            kept.append(policy.outcomes().endOf(status, null) == AttemptEnd.SUCCEEDED ? status + " " : "");
        }
        return kept.toString().strip();
    }

    @Test
    void exceptionsCountByTheirNearestSuperclassAndBeforeTheStatus() {
        properties.put("idempotency.defaults.release-on", "java.lang.IllegalStateException");
        properties.put("idempotency.biz-types.order.fail-on", "java.lang.Exception");
        properties.put("idempotency.biz-types.order.complete-on", "java.io.IOException,java.lang.Error");
        OutcomeRules outcomes = policies().named("order", "").outcomes();

        assertThat(outcomes.endOf(200, new FileNotFoundException())).isEqualTo(AttemptEnd.SUCCEEDED);
        assertThat(outcomes.endOf(500, new StackOverflowError())).isEqualTo(AttemptEnd.SUCCEEDED);
        assertThat(outcomes.endOf(404, new CancellationException())).isEqualTo(AttemptEnd.RELEASED);
        assertThat(outcomes.endOf(404, new IllegalArgumentException())).isEqualTo(AttemptEnd.FAILED);
        assertThat(outcomes.endOf(404, new Throwable(new IOException()))).isEqualTo(AttemptEnd.SUCCEEDED);
        assertThat(outcomes.endOf(404, new Throwable())).isEqualTo(AttemptEnd.RELEASED);
        assertThat(outcomes.endOf(503, null)).isEqualTo(AttemptEnd.FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no.such.Exception", "java.lang.String", "java.lang.Error,java.lang.Error", ""})
    void whatIsNoExceptionIsRefused(String names) {
        properties.put("idempotency.biz-types.order.release-on", names);

        if (names.isEmpty()) {
            policies().named("order", "");
        } else {
            assertThatExceptionOfType(InvalidConfigurationException.class)
                    .isThrownBy(() -> policies().named("order", ""))
                    .withMessageStartingWith("idempotency.biz-types.order.release-on must ");
        }
    }

    @Test
    void whereNothingIsSaidOursHold() {
        for (EndpointPolicy policy :
                new EndpointPolicy[] {annotated(Plain.class), policies().named("order", "")}) {
            assertThat(policy.policy()).isEqualTo(IdempotencyPolicy.defaults("order"));
            assertThat(policy.missingKey()).isEqualTo(MissingKey.REJECT);
            assertThat(statuses(policy)).isEqualTo("200 204 299 302");
            assertThat(policy.ignored()).isEmpty();
        }
        assertThat(annotated(Unnamed.class).policy().bizType()).isEqualTo("default");
    }

    private void give(String prefix, String ttl, String timeout, String statuses) {
        properties.put(prefix + "ttl", ttl);
        properties.put(prefix + "timeout", timeout);
        properties.put(prefix + "wait-timeout", timeout);
        properties.put(prefix + "level", "business-id");
        properties.put(prefix + "missing-key", "business-id");
        properties.put(prefix + "on-duplicate", "wait");
        properties.put(prefix + "on-completed", "conflict");
        properties.put(prefix + "on-orphan", "uncertain");
        properties.put(prefix + "store-failure", "open");
        properties.put(prefix + "transactional", "true");
        properties.put(prefix + "replay-statuses", statuses);
        properties.put(prefix + "breaker.failures", "7");
        properties.put(prefix + "breaker.window", timeout);
        properties.put(prefix + "breaker.cooldown", ttl);
        properties.put(prefix + "breaker.cooldown-multiplier", "1.5");
        properties.put(prefix + "breaker.max-cooldown", "PT" + 2 * minutes(ttl) + "M");
        // There are no defaults of the route's breaker but the general ones.
        String route = prefix.replace("defaults.", "") + "route-breaker.";
        properties.put(route + "failures", "8");
        properties.put(route + "failure-rate", "60");
        properties.put(route + "minimum-calls", "9");
        properties.put(route + "repeats", "4");
        properties.put(route + "window", timeout);
        properties.put(route + "cooldown", ttl);
        properties.put(route + "cooldown-multiplier", "3");
        properties.put(route + "max-cooldown", "PT" + 4 * minutes(ttl) + "M");
        properties.put(route + "trials", "2");
        properties.put(prefix + "fingerprint.ignore", "/" + timeout);
    }

    private static int minutes(String ttl) {
        return Integer.parseInt(ttl.replace("m", ""));
    }

    private static void assertGiven(EndpointPolicy policy, Duration ttl, Duration timeout, String statuses) {
        assertThat(policy.policy())
                .isEqualTo(new IdempotencyPolicy(
                        "order",
                        ttl,
                        timeout,
                        IdempotencyLevel.BUSINESS_ID,
                        OnDuplicate.WAIT,
                        timeout,
                        OnCompleted.CONFLICT,
                        OnOrphan.UNCERTAIN,
                        StoreFailure.OPEN,
                        new BreakerPolicy(7, timeout, new Cooldown(ttl, 1.5, ttl.multipliedBy(2))),
                        new RoutePolicy(8, 60, 9, 4, timeout, new Cooldown(ttl, 3, ttl.multipliedBy(4)), 2),
                        true));
        assertThat(policy.missingKey()).isEqualTo(MissingKey.BUSINESS_ID);
        assertThat(statuses(policy)).isEqualTo(statuses);
        assertThat(policy.ignored()).containsExactly(JsonPointer.parse("/" + timeout.toSeconds() + "s"));
    }

    @Test
    void defaultsWinOverOurs() {
        give("idempotency.defaults.", "5m", "30s", "402");
        assertGiven(annotated(Plain.class), Duration.ofMinutes(5), Duration.ofSeconds(30), "402");
        assertGiven(policies().named("order", ""), Duration.ofMinutes(5), Duration.ofSeconds(30), "402");
    }

    @Test
    void bizTypeWinsOverDefaults() {
        give("idempotency.defaults.", "5m", "30s", "402");
        give("idempotency.biz-types.order.", "6m", "40s", "404,5xx");
        assertGiven(annotated(Plain.class), Duration.ofMinutes(6), Duration.ofSeconds(40), "404 500");
        assertGiven(policies().named("order", ""), Duration.ofMinutes(6), Duration.ofSeconds(40), "404 500");
        properties.keySet().removeIf(name -> name.startsWith("idempotency.defaults."));
        assertGiven(annotated(Plain.class), Duration.ofMinutes(6), Duration.ofSeconds(40), "404 500");
    }

    @Test
    void whatABizTypeLeavesOutComesFromTheDefaultsOneByOne() {
        properties.put("idempotency.defaults.ttl", "5m");
        properties.put("idempotency.defaults.breaker.failures", "7");
        properties.put("idempotency.biz-types.order.timeout", "40s");
        properties.put("idempotency.biz-types.order.breaker.window", "9s");
        IdempotencyPolicy policy = annotated(Plain.class).policy();
        assertThat(policy.ttl()).isEqualTo(Duration.ofMinutes(5));
        assertThat(policy.lease()).isEqualTo(Duration.ofSeconds(40));
        assertThat(policy.breaker()).isEqualTo(new BreakerPolicy(7, Duration.ofSeconds(9), Duration.ofSeconds(30)));
    }

    @Test
    void bizTypesDoNotTouchEachOther() {
        give("idempotency.biz-types.refund.", "6m", "40s", "402");
        assertThat(annotated(Plain.class).policy()).isEqualTo(IdempotencyPolicy.defaults("order"));
    }

    @Test
    void annotationWinsOverEverything() {
        properties.put("idempotency.defaults.level", "full-request");
        for (String prefix : new String[] {"idempotency.defaults.", "idempotency.biz-types.order."}) {
            properties.put(prefix + "ttl", "5m");
            properties.put(prefix + "timeout", "30s");
            properties.put(prefix + "wait-timeout", "3s");
            properties.put(prefix + "level", "full-request");
            properties.put(prefix + "missing-key", "reject");
            properties.put(prefix + "on-duplicate", "reject");
            properties.put(prefix + "on-completed", "replay");
            properties.put(prefix + "on-orphan", "take-over");
            properties.put(prefix + "store-failure", "closed");
            properties.put(prefix + "transactional", "false");
        }
        EndpointPolicy policy = annotated(Explicit.class);
        assertThat(policy.policy())
                .isEqualTo(new IdempotencyPolicy(
                        "order",
                        Duration.ofMinutes(2),
                        Duration.ofSeconds(20),
                        IdempotencyLevel.BUSINESS_ID,
                        OnDuplicate.WAIT,
                        Duration.ofSeconds(3),
                        OnCompleted.CONFLICT,
                        OnOrphan.UNCERTAIN,
                        StoreFailure.OPEN,
                        BreakerPolicy.DEFAULT,
                        RoutePolicy.OFF,
                        true));
        assertThat(policy.missingKey()).isEqualTo(MissingKey.BYPASS);
    }

    @Test
    void annotationMayMakeAShortTtlOfItsBizTypeValid() {
        properties.put("idempotency.biz-types.order.ttl", "30s");
        assertThatCode(() -> annotated(ShortTimeout.class)).doesNotThrowAnyException();
    }

    @Test
    void ignoredValuesOfABizTypeReplaceThoseOfAllEvenByNone() {
        properties.put("idempotency.fingerprint.ignore", "/sent_at,/retry");
        assertThat(annotated(Plain.class).ignored())
                .containsExactly(JsonPointer.parse("/sent_at"), JsonPointer.parse("/retry"));
        properties.put("idempotency.biz-types.order.fingerprint.ignore", "/other");
        assertThat(annotated(Plain.class).ignored()).containsExactly(JsonPointer.parse("/other"));
        properties.put("idempotency.biz-types.order.fingerprint.ignore", "");
        assertThat(annotated(Plain.class).ignored()).isEmpty();
    }

    @Test
    void namesAreBoundInAnyOfTheUsualForms() {
        properties.put("idempotency.biz-types.order.onDuplicate", "WAIT");
        properties.put("idempotency.biz-types.order.missing_key", "BusinessId");
        properties.put("idempotency.biz-types.order.on-orphan", "Uncertain");
        properties.put("idempotency.bizTypes.order.level", "BUSINESS_ID");
        properties.put("idempotency.biz-types.order.ttl", "PT90S");
        EndpointPolicy policy = annotated(Plain.class);
        assertThat(policy.policy().onDuplicate()).isEqualTo(OnDuplicate.WAIT);
        assertThat(policy.missingKey()).isEqualTo(MissingKey.BUSINESS_ID);
        assertThat(policy.policy().onOrphan()).isEqualTo(OnOrphan.UNCERTAIN);
        assertThat(policy.policy().level()).isEqualTo(IdempotencyLevel.BUSINESS_ID);
        assertThat(policy.policy().ttl()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void bizTypeMayHaveUnderscoresDotsAndCapitals() {
        properties.put("idempotency.biz-types.create_order.ttl", "5m");
        properties.put("idempotency.biz-types[create.Order].ttl", "6m");
        EndpointPolicies policies = policies();
        assertThat(policies.named("create_order", "").policy().ttl()).isEqualTo(Duration.ofMinutes(5));
        assertThat(policies.named("create.Order", "").policy().ttl()).isEqualTo(Duration.ofMinutes(6));
        assertThat(policies.named("createOrder", "").policy().ttl()).isEqualTo(Duration.ofHours(24));
    }
}
