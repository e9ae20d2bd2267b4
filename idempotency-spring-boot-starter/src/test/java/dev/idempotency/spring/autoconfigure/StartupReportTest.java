// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import dev.idempotency.Idempotent;
import dev.idempotency.spring.autoconfigure.TestApplications.Orders;
import dev.idempotency.spring.identity.TenantResolver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@ExtendWith(OutputCaptureExtension.class)
class StartupReportTest {

    private static final String MEMORY = "kept in the memory of this process only";
    private static final String NAMELESS = "Neither idempotency.namespace nor spring.application.name is set";
    private static final String ANONYMOUS = "Requests without an authenticated principal share one scope";
    private static final String NO_JACKSON = "Jackson is not there";

    private static final String[] SENDER = {
        "idempotency.webhook.senders.acme.preset=github",
        "idempotency.webhook.senders.acme.secret=x",
        "idempotency.webhook.senders.acme.paths=/in"
    };

    private static final WebApplicationContextRunner ORDERS = TestApplications.web(Orders.class);
    private static final WebApplicationContextRunner ON_REDIS =
            ORDERS.withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class));

    private static void start(WebApplicationContextRunner runner) {
        runner.run(context -> assertThat(context).hasNotFailed());
    }

    @RestController
    @Idempotent(bizType = "refund")
    static class Refunds {

        @PostMapping("/refunds")
        void create() {}

        @PostMapping("/refunds/{id}")
        void again() {}

        @GetMapping("/refunds")
        void list() {}
    }

    @RestController
    static class Reader {

        @GetMapping("/read")
        @Idempotent(bizType = "read")
        void read() {}
    }

    @Test
    void tellsWhatIsProtectedAndWhere(CapturedOutput output) {
        start(ORDERS);
        assertThat(output)
                .contains("Idempotency protects 1 endpoint and 0 methods of bizType order; records are kept in memory.")
                .contains(MEMORY)
                .contains(ANONYMOUS)
                .doesNotContain(NAMELESS)
                .doesNotContain(NO_JACKSON);
    }

    @Test
    void countsEveryProtectedEndpointAndNoSafeOne(CapturedOutput output) {
        start(TestApplications.web(Orders.class, Refunds.class)
                .withPropertyValues("idempotency.routes[0].path=/legacy/**", "idempotency.routes[0].biz-type=legacy"));
        assertThat(output).contains("Idempotency protects 4 endpoints and 0 methods of bizType legacy, order, refund;");
    }

    @Test
    void countsWhatTakesDeliveriesThatNoOtherEndpointTakes(CapturedOutput output) {
        start(TestApplications.web().withPropertyValues(SENDER));
        assertThat(output)
                .contains("Idempotency protects 1 endpoint and 0 methods of bizType acme;")
                .contains(MEMORY);
    }

    @Test
    void whatTakesDeliveriesIsAmongTheEndpointsThatAreShownToOperators() {
        WebApplicationContextRunner deliveries = TestApplications.web().withPropertyValues(SENDER);
        deliveries.run(context -> {
            EndpointRegistry endpoints = context.getBean(EndpointRegistry.class);
            assertThat(endpoints.descriptions())
                    .extracting(EndpointDescription::handler)
                    .containsExactly("idempotency.webhook.senders.acme");
            assertThat(endpoints.refusesWithoutStore()).isTrue();
        });
        deliveries
                .withPropertyValues("idempotency.defaults.store-failure=open")
                .run(context -> assertThat(
                                context.getBean(EndpointRegistry.class).refusesWithoutStore())
                        .isFalse());
    }

    @Test
    void tellsThatNothingIsProtected(CapturedOutput output) {
        start(TestApplications.web());
        assertThat(output)
                .contains("Idempotency protects no endpoint")
                .doesNotContain(MEMORY)
                .doesNotContain(ANONYMOUS);
    }

    @Test
    void warnsOfAnAnnotationWithoutEffect(CapturedOutput output) {
        start(TestApplications.web(Reader.class));
        assertThat(output)
                .contains("@Idempotent on Reader.read has no effect: requests with a safe method are never protected.");
    }

    @Test
    void doesNotWarnOfTheSafeMethodsOfAnAnnotatedClass(CapturedOutput output) {
        start(TestApplications.web(Refunds.class));
        assertThat(output).doesNotContain("has no effect");
    }

    @Test
    void warnsOfASharedStoreWithoutAName(CapturedOutput output) {
        start(ON_REDIS);
        assertThat(output)
                .contains("records are kept in redis.")
                .contains(NAMELESS)
                .doesNotContain(MEMORY);
    }

    @Test
    void doesNotWarnIfTheApplicationHasAName(CapturedOutput output) {
        start(ON_REDIS.withPropertyValues("spring.application.name=shop"));
        start(ON_REDIS.withPropertyValues("idempotency.namespace=shop"));
        start(ON_REDIS.withPropertyValues("idempotency.namespace=application"));
        assertThat(output).doesNotContain(NAMELESS);
    }

    @Test
    void nameWithAColonIsMadeANamespace() {
        start(ON_REDIS.withPropertyValues("spring.application.name=a:b"));
    }

    @Test
    void saysNothingOfAnonymousRequestsIfTheApplicationTellsTenantsApart(CapturedOutput output) {
        start(ORDERS.withBean(TenantResolver.class, () -> request -> null));
        assertThat(output).doesNotContain(ANONYMOUS);
    }

    @Test
    void warnsOfAMissingJsonLibrary(CapturedOutput output) {
        // Spring MVC itself must not see a Jackson either, so the controller is all there is.
        start(TestApplications.web()
                .withPropertyValues("idempotency.routes[0].path=/legacy", "idempotency.routes[0].biz-type=legacy")
                .withClassLoader(new FilteredClassLoader("tools.jackson", "com.fasterxml.jackson")));
        assertThat(output).contains(NO_JACKSON);
    }
}
