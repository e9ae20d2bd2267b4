// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.idempotency.Idempotent;
import dev.idempotency.policy.IdempotencyLevel;
import dev.idempotency.policy.Streaming;
import dev.idempotency.spring.autoconfigure.TestApplications.Orders;
import dev.idempotency.store.IdempotencyStore;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.OrderUtils;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

@ExtendWith(OutputCaptureExtension.class)
class InvalidConfigurationTest {

    private static Throwable startupFailure(WebApplicationContextRunner runner) {
        Throwable[] failure = new Throwable[1];
        runner.run(context -> failure[0] = context.getStartupFailure());
        return failure[0];
    }

    /** The start is stopped with exactly this sentence. */
    private static void assertStopped(WebApplicationContextRunner runner, String sentence) {
        Throwable failure = startupFailure(runner);
        assertThat(failure).as("no start with: " + sentence).isNotNull();
        List<String> ours = Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .filter(InvalidConfigurationException.class::isInstance)
                .map(Throwable::getMessage)
                .toList();
        assertThat(ours).as(failure.toString()).containsExactly(sentence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "header-names= | header-names must name at least one header, but is []",
                "header-names=X,bad name | header-names must be names of HTTP headers, but is bad name",
                "header-names=Schl\u00fcssel | header-names must be names of HTTP headers, but is Schl\u00fcssel",
                "replayed-header=a:b | replayed-header must be the name of an HTTP header, but is a:b",
                "replayed-header= | replayed-header must be the name of an HTTP header, but is ''",
                "key-parts=path | key-parts must contain idempotency-key or business-id, or all requests share a key, but is [PATH]",
                "key-parts= | key-parts must contain idempotency-key or business-id, or all requests share a key, but is []",
                "namespace=a:b | namespace must not be blank nor contain a colon, but is a:b",
                "documentation-url=see here | documentation-url must be a URL, but is see here",
                "documentation-url=<x> | documentation-url must be a URL, but is <x>",
                "documentation-url= | documentation-url must be a URL, but is ''",
                "request.max-size=0B | request.max-size must be from 1B to 1GB, but is 0B",
                "request.max-size=-1B | request.max-size must be from 1B to 1GB, but is -1B",
                "request.max-size=1025MB | request.max-size must be from 1B to 1GB, but is 1074790400B",
                "response.max-size=0B | response.max-size must be from 1B to 1GB, but is 0B",
                "response.max-size=5GB | response.max-size must be from 1B to 1GB, but is 5368709120B",
                "memory.max-size=0B | memory.max-size must be positive, but is 0B",
                "memory.max-size=-5KB | memory.max-size must be positive, but is -5120B",
                "dead-letters.max-count=0 | dead-letters.max-count must be at least 1, but is 0",
                "dead-letters.max-size=0B | dead-letters.max-size must be at least 1B, but is 0B",
                "dead-letters.retention=0s | dead-letters.retention must be positive, but is PT0S",
                "dead-letters.max-body-size=65MB | dead-letters.max-body-size must be from 0B to dead-letters.max-size (67108864B), but is 68157440B",
                "dead-letters.redact-pointers=card | dead-letters.redact-pointers: a JSON pointer must start with '/', but is 'card'",
                "dead-letters.redrive.timeout=-1s | dead-letters.redrive.timeout must be positive, but is PT-1S",
                "dead-letters.redrive.base-url=localhost | dead-letters.redrive.base-url must be an http or https URL without a path, but is localhost",
                "redis.key-prefix= | redis.key-prefix must not be blank, but is ''",
                "redis.command-timeout=0s | redis.command-timeout must be positive, but is PT0S",
                "redis.command-timeout=-1s | redis.command-timeout must be positive, but is PT-1S",
                "redis.wait-replicas=-1 | redis.wait-replicas must not be negative, but is -1",
                "redis.wait-timeout=0s | redis.wait-timeout must be at least 1ms, but is PT0S",
                "compression.min-size=0B | compression.min-size must be from 1B to 1GB, but is 0B",
                "fingerprint.ignore=retry | fingerprint.ignore: a JSON pointer must start with '/', but is 'retry'",
                "fingerprint.ignore=/a~2 | fingerprint.ignore: in a JSON pointer '~' must be followed by 0 or 1, but it is '/a~2'",
                "business-id=/a~2 | business-id: in a JSON pointer '~' must be followed by 0 or 1, but it is '/a~2'",
            })
    void aPropertyThatBreaksItsRuleIsNamed(String property, String complaint) {
        assertStopped(
                TestApplications.web(Orders.class).withPropertyValues("idempotency." + property),
                "idempotency." + complaint.replace("''", ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ttl=0s | ttl must not be shorter than timeout (PT1M), but is PT0S",
                "ttl=-1s | ttl must not be shorter than timeout (PT1M), but is PT-1S",
                "ttl=30s | ttl must not be shorter than timeout (PT1M), but is PT30S",
                "ttl=106751991167300d | ttl must be at most PT87600H, but is PT2562047788015200H",
                "ttl=3651d | ttl must be at most PT87600H, but is PT87624H",
                "timeout=0s | timeout must be at least PT0.1S, but is PT0S",
                "timeout=-5s | timeout must be at least PT0.1S, but is PT-5S",
                "timeout=99ms | timeout must be at least PT0.1S, but is PT0.099S",
                "timeout=25h | ttl must not be shorter than timeout (PT25H), but is PT24H",
                "wait-timeout=0s | wait-timeout must be positive, but is PT0S",
                "wait-timeout=61m | wait-timeout must be at most PT1H, but is PT1H1M",
                "breaker.failures=-1 | breaker.failures must be from 0 to 50, but is -1",
                "breaker.failures=51 | breaker.failures must be from 0 to 50, but is 51",
                "breaker.window=0s | breaker.window must be positive, but is PT0S",
                "breaker.cooldown=-1s | breaker.cooldown must be positive, but is PT-1S",
                "breaker.cooldown-multiplier=0.5 | breaker.cooldown-multiplier must be from 1 to 100, but is 0.5",
                "replay-statuses=2xx,99 | replay-statuses must be from 200 to 599 or classes such as 2xx, but have '99'",
                "replay-statuses=1xx | replay-statuses must be from 200 to 599 or classes such as 2xx, but have '1xx'",
                "fingerprint.ignore=retry | fingerprint.ignore: a JSON pointer must start with '/', but is 'retry'",
            })
    void aRuleOfABizTypeOrOfAllIsNamed(String property, String complaint) {
        for (String prefix : List.of("idempotency.defaults.", "idempotency.biz-types.order.")) {
            assertStopped(TestApplications.web(Orders.class).withPropertyValues(prefix + property), prefix + complaint);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "failures=201 | failures must be from 0 to 200, but is 201",
                "failure-rate=101 | failure-rate must be from 0 to 100, but is 101",
                "minimum-calls=0 | minimum-calls must be at least 1, but is 0",
                "repeats=-1 | repeats must not be negative, but is -1",
                "window=0s | window must be at least 1ms, but is PT0S",
                "cooldown=0s | cooldown must be positive, but is PT0S",
                "cooldown-multiplier=101 | cooldown-multiplier must be from 1 to 100, but is 101.0",
                "trials=21 | trials must be from 1 to 20, but is 21",
            })
    void aRuleOfARouteBreakerIsNamed(String property, String complaint) {
        for (String prefix : List.of("idempotency.route-breaker.", "idempotency.biz-types.order.route-breaker.")) {
            assertStopped(TestApplications.web(Orders.class).withPropertyValues(prefix + property), prefix + complaint);
        }
    }

    @Test
    void aRouteBreakerThatGrowsKeepsItsLimit() {
        assertStopped(
                TestApplications.web(Orders.class)
                        .withPropertyValues(
                                "idempotency.route-breaker.cooldown-multiplier=2",
                                "idempotency.route-breaker.max-cooldown=10s"),
                "idempotency.route-breaker.max-cooldown must not be shorter than cooldown (PT30S), but is PT10S");
    }

    @Test
    void theDefaultsOfRouteBreakersHaveOnePlace() {
        Throwable failure = startupFailure(
                TestApplications.web(Orders.class).withPropertyValues("idempotency.defaults.route-breaker.failures=3"));
        assertThat(failure)
                .rootCause()
                .hasMessageStartingWith(
                        "idempotency.defaults.route-breaker must not be set, as idempotency.route-breaker");
    }

    @Test
    void aStoreThatCannotShareHowBizTypesStandHasNoRouteBreaker() {
        assertStopped(
                TestApplications.web(Orders.class)
                        .withBean(IdempotencyStore.class, () -> {
                            IdempotencyStore store = mock(IdempotencyStore.class);
                            when(store.name()).thenReturn("own");
                            return store;
                        })
                        .withPropertyValues("idempotency.biz-types.order.route-breaker.failures=3"),
                "idempotency.route-breaker needs a store that can share how bizTypes stand, but is own");
    }

    @Test
    void aRuleOfARoutesBizTypeIsNamed() {
        assertStopped(
                TestApplications.web()
                        .withPropertyValues(
                                "idempotency.routes[0].path=/legacy",
                                "idempotency.routes[0].biz-type=legacy",
                                "idempotency.biz-types.legacy.ttl=1s"),
                "idempotency.biz-types.legacy.ttl must not be shorter than timeout (PT1M), but is PT1S");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "idempotency.defaults.ttl=106751991167301d",
                "idempotency.defaults.ttl=soon",
                "idempotency.biz-types.order.timeout=9223372036854775808s",
                "idempotency.store=mongodb",
                "idempotency.key-parts=colour",
                "idempotency.defaults.on-duplicate=maybe",
                "idempotency.defaults.breaker.failures=many",
                "idempotency.request.max-size=9999999999999999999B",
            })
    void aValueOfTheWrongKindIsNamedBySpringBoot(String property) {
        Throwable failure = startupFailure(TestApplications.web(Orders.class).withPropertyValues(property));
        String name = property.substring(0, property.indexOf('='));
        assertThat(failure).hasStackTraceContaining("Failed to bind properties under '" + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"idempotency.stor=redis", "idempotency.biz-types.order.tll=5m"})
    void aMisspeltSettingStopsTheStart(String property) {
        Throwable failure = startupFailure(TestApplications.web(Orders.class).withPropertyValues(property));
        assertThat(failure).hasStackTraceContaining(property.substring(0, property.indexOf('=')));
    }

    @Test
    void aBizTypeThatNoEndpointHasIsNamed() {
        assertStopped(
                TestApplications.web(Orders.class).withPropertyValues("idempotency.biz-types.oder.ttl=5m"),
                "idempotency.biz-types.oder must be the bizType of an endpoint or method, but those are [order]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[0].secret=c2VjcmV0 | [0].id must have 1 to 32 characters of A-Z a-z 0-9 _ . -, but is null",
                "[0].id=a b | [0].id must have 1 to 32 characters of A-Z a-z 0-9 _ . -, but is a b",
                "[0].id=k | [0].secret must be 32 bytes in Base64, but is not",
                "[0].id=k ; [0].secret=topsecret! | [0].secret must be 32 bytes in Base64, but is not",
                "[0].id=k ; [0].secret=c2VjcmV0 | [0].secret must be 32 bytes in Base64, but is one of 6 bytes",
            })
    void anEncryptionKeyThatBreaksItsRuleIsNamedWithoutItsSecret(String properties, String complaint) {
        String[] values = Stream.of(properties.split(" ; "))
                .map(property -> "idempotency.encryption.keys" + property)
                .toArray(String[]::new);
        assertStopped(
                TestApplications.web(Orders.class).withPropertyValues(values),
                "idempotency.encryption.keys" + complaint);
    }

    @Test
    void anEncryptionKeyThatIsGivenTwiceIsNamed() {
        String secret = "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U=";
        assertStopped(
                TestApplications.web(Orders.class)
                        .withPropertyValues(
                                "idempotency.encryption.keys[0].id=k",
                                "idempotency.encryption.keys[0].secret=" + secret,
                                "idempotency.encryption.keys[1].id=k",
                                "idempotency.encryption.keys[1].secret=" + secret),
                "idempotency.encryption.keys[1].id must be given once, but is k");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "path=/a | must have a path and a biz-type",
                "biz-type=a | must have a path and a biz-type",
                "path=/a{ ; biz-type=a | .path must be a path pattern, but is /a{",
                "path=/a ; biz-type=a b | .biz-type: a bizType must have 1 to 64 characters of A-Z a-z 0-9 _ . -, but is 'a b'",
                "path=/a ; biz-type=a ; methods=GET | .methods must be among POST, PUT, PATCH and DELETE, but has GET",
                "path=/a ; biz-type=a ; methods=post,fetch | .methods must be among POST, PUT, PATCH and DELETE, but has fetch",
            })
    void aRouteThatBreaksItsRuleIsNamed(String properties, String complaint) {
        String[] values = Stream.of(properties.split(" ; "))
                .map(property -> "idempotency.routes[0]." + property)
                .toArray(String[]::new);
        Throwable failure = startupFailure(TestApplications.web(Orders.class).withPropertyValues(values));
        assertThat(Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                        .filter(InvalidConfigurationException.class::isInstance))
                .singleElement()
                .satisfies(cause -> assertThat(cause.getMessage())
                        .startsWith("idempotency.routes[0]" + (complaint.startsWith(".") ? "" : " ") + complaint)
                        .doesNotContain("\n"));
    }

    @RestController
    static class BadTtl {
        @PostMapping("/x")
        @Idempotent(bizType = "order", ttl = "soon")
        void handle() {}
    }

    @RestController
    static class OverflowingTtl {
        @PostMapping("/x")
        @Idempotent(bizType = "order", ttl = "106751991167301d")
        void handle() {}
    }

    @RestController
    static class ShortTtl {
        @PostMapping("/x")
        @Idempotent(bizType = "order", ttl = "5s")
        void handle() {}
    }

    @RestController
    static class LongTimeout {
        @PostMapping("/x")
        @Idempotent(bizType = "order", timeoutSeconds = 120)
        void handle() {}
    }

    @RestController
    static class NegativeTimeout {
        @PostMapping("/x")
        @Idempotent(bizType = "order", timeoutSeconds = -1)
        void handle() {}
    }

    @RestController
    static class TwoLevels {
        @PostMapping("/x")
        @Idempotent(
                bizType = "order",
                level = {IdempotencyLevel.FULL_REQUEST, IdempotencyLevel.BUSINESS_ID})
        void handle() {}
    }

    @RestController
    static class BadBizType {
        @PostMapping("/x")
        @Idempotent(bizType = "a b")
        void handle() {}
    }

    @RestController
    static class BadKeyResolver {
        @PostMapping("/x")
        @Idempotent(bizType = "order", keyResolver = "#order.id")
        void handle(String id) {}
    }

    @RestController
    static class PowerfulKeyResolver {
        @PostMapping("/x")
        @Idempotent(bizType = "order", keyResolver = "T(java.lang.Math).random() + #id")
        void handle(String id) {}
    }

    @Test
    void anAttributeThatBreaksItsRuleIsNamedWithItsHandler() {
        assertStopped(
                TestApplications.web(BadTtl.class),
                "@Idempotent on BadTtl.handle: ttl must be a duration such as 30m, but is 'soon'");
        assertStopped(
                TestApplications.web(OverflowingTtl.class),
                "@Idempotent on OverflowingTtl.handle: ttl must be a duration such as 30m, but is '106751991167301d'");
        assertStopped(
                TestApplications.web(ShortTtl.class),
                "@Idempotent on ShortTtl.handle: ttl must not be shorter than timeout (PT1M), but is PT5S");
        assertStopped(
                TestApplications.web(NegativeTimeout.class),
                "@Idempotent on NegativeTimeout.handle: timeoutSeconds must not be negative, but is -1");
        assertStopped(
                TestApplications.web(BadBizType.class),
                "@Idempotent on BadBizType.handle: a bizType must have 1 to 64 characters of A-Z a-z 0-9 _ . -,"
                        + " but is 'a b'");
        assertStopped(
                TestApplications.web(BadKeyResolver.class),
                "keyResolver '#order.id' of BadKeyResolver.handle uses #order, which is no parameter of the method");
        assertStopped(
                TestApplications.web(PowerfulKeyResolver.class),
                "keyResolver 'T(java.lang.Math).random() + #id' of PowerfulKeyResolver.handle must not refer to types,"
                        + " beans, constructors or functions, nor assign anything");
    }

    @Test
    void anAttributeIsNamedEvenIfItsBizTypeHasProperties() {
        assertStopped(
                TestApplications.web(TwoLevels.class).withPropertyValues("idempotency.biz-types.order.ttl=5m"),
                "@Idempotent on TwoLevels.handle: level must have one value, but has [FULL_REQUEST, BUSINESS_ID]");
        assertStopped(
                TestApplications.web(LongTimeout.class).withPropertyValues("idempotency.biz-types.order.ttl=90s"),
                "@Idempotent on LongTimeout.handle: ttl must not be shorter than timeout (PT2M), but is PT1M30S");
    }

    @RestController
    static class Emitter {
        @PostMapping("/x")
        @Idempotent(bizType = "order")
        SseEmitter handle() {
            return new SseEmitter();
        }
    }

    @RestController
    static class Wrapped {
        @PostMapping("/x")
        @Idempotent(bizType = "order")
        ResponseEntity<StreamingResponseBody> handle() {
            return ResponseEntity.ok(out -> {});
        }
    }

    /** A class of streams with another name. */
    static class Progress extends ResponseBodyEmitter {}

    @RestController
    static class Derived {
        @PostMapping("/x")
        @Idempotent(bizType = "order")
        ResponseEntity<? extends Progress> handle() {
            return ResponseEntity.ok(new Progress());
        }
    }

    static class Base<T> {
        @PostMapping("/x")
        @Idempotent(bizType = "order")
        ResponseEntity<T> handle() {
            return ResponseEntity.ok().build();
        }
    }

    @RestController
    static class Inherited extends Base<StreamingResponseBody> {}

    @RestController
    static class Bypassing {
        @PostMapping("/x")
        @Idempotent(bizType = "order", streaming = Streaming.BYPASS)
        StreamingResponseBody handle() {
            return out -> {};
        }
    }

    @Test
    void aHandlerThatStreamsIsRefusedUnlessItSaysThatItKnows() {
        for (Class<?> controller : List.of(Emitter.class, Wrapped.class, Derived.class, Inherited.class)) {
            assertStopped(
                    TestApplications.web(controller),
                    "@Idempotent on " + controller.getSimpleName()
                            + ".handle: an answer that is streamed cannot be kept; say streaming = BYPASS to leave it"
                            + " unprotected");
        }
        assertThat(startupFailure(TestApplications.web(Bypassing.class))).isNull();
    }

    @RestController
    @Idempotent(bizType = "order")
    static class OddTypes {

        @PostMapping("/enum")
        @SuppressWarnings("rawtypes")
        Enum raw() {
            return Streaming.REFUSE;
        }

        @PostMapping("/generic")
        <T extends Comparable<T>> List<T> generic() {
            return List.of();
        }

        @PostMapping("/nested")
        List<? extends Comparable<?>> nested() {
            return List.of();
        }

        @GetMapping("/safe")
        String safe() {
            return "";
        }
    }

    @Test
    void typesThatReferToThemselvesAreLookedThroughToAnEnd() {
        assertThat(startupFailure(TestApplications.web(OddTypes.class))).isNull();
    }

    @Test
    void analyzerComesBeforeThoseOfSpringBootWhateverTheClassPath() {
        assertThat(OrderUtils.getOrder(InvalidConfigurationFailureAnalyzer.class, Ordered.LOWEST_PRECEDENCE))
                .isLessThan(Ordered.LOWEST_PRECEDENCE);
    }

    @Test
    void analysisIsOneSentenceWithAnActionAndItsCause() {
        InvalidConfigurationException cause = new InvalidConfigurationException("idempotency.x must be y, but is z");
        for (Throwable failure : List.of(cause, new IllegalStateException(cause))) {
            FailureAnalysis analysis = new InvalidConfigurationFailureAnalyzer().analyze(failure);
            assertThat(analysis.getDescription()).isEqualTo("idempotency.x must be y, but is z.");
            assertThat(analysis.getAction()).isNotBlank();
            assertThat(analysis.getCause()).isSameAs(cause);
        }
        assertThat(new InvalidConfigurationFailureAnalyzer().analyze(new IllegalStateException()))
                .isNull();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(IdempotencyAutoConfiguration.class)
    static class NonWeb {}

    @Test
    void complaintIsShownWithAnActionAndWithoutAStackTrace(CapturedOutput output) {
        SpringApplication application = new SpringApplication(NonWeb.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        Throwable failure =
                catchThrowable(() -> application.run("--idempotency.key-parts=path", "--spring.main.banner-mode=off"));
        assertThat(failure).isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "idempotency.key-parts must contain idempotency-key or business-id, or all requests share a key,"
                                + " but is [PATH].\n")
                .contains("Change the setting in the application's configuration or on the annotation.")
                .doesNotContain("\tat ")
                .doesNotContain("Failed to bind properties under 'idempotency' to");
    }
}
