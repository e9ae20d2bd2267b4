// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.encoding.EncryptingDeadLetterQueue;
import dev.idempotency.spring.actuate.IdempotencyEndpoint;
import dev.idempotency.spring.actuate.IdempotencyLettersEndpoint;
import dev.idempotency.spring.actuate.IdempotencyRecordsEndpoint;
import dev.idempotency.spring.actuate.IdempotencyRoutesEndpoint;
import dev.idempotency.spring.operator.AuditTrail;
import dev.idempotency.spring.operator.LetterDesk;
import dev.idempotency.spring.operator.PrincipalByName;
import dev.idempotency.spring.operator.RedriveFilter;
import dev.idempotency.spring.operator.RedriveIdentity;
import dev.idempotency.spring.operator.UserDetailsIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationListener;

class OperatorAutoConfigurationTest {

    private static final String SECRET = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    private final WebApplicationContextRunner web = TestApplications.web(TestApplications.Orders.class)
            .withConfiguration(
                    AutoConfigurations.of(OperatorAutoConfiguration.class, ActuatorIdempotencyAutoConfiguration.class));

    @Test
    void everythingIsThereByDefault() {
        web.run(context -> assertThat(context)
                .hasNotFailed()
                .hasSingleBean(LetterDesk.class)
                .hasSingleBean(AuditTrail.class)
                .hasSingleBean(UserDetailsIdentity.class)
                .hasSingleBean(IdempotencyEndpoint.class)
                .hasSingleBean(IdempotencyRecordsEndpoint.class)
                .hasSingleBean(IdempotencyRoutesEndpoint.class)
                .hasSingleBean(IdempotencyLettersEndpoint.class));
    }

    @Test
    void redrivesAreKnownBeforeSpringSecurityLooks() {
        web.run(context -> assertThat(
                        context.getBean("idempotencyRedriveFilterRegistration", FilterRegistrationBean.class)
                                .getOrder())
                .isEqualTo(RedriveFilter.ORDER)
                .isLessThan(-100));
    }

    @Test
    void nothingIsThereIfNothingIsProtected() {
        web.withPropertyValues("idempotency.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(LetterDesk.class)
                        .doesNotHaveBean(IdempotencyRoutesEndpoint.class)
                        .doesNotHaveBean(IdempotencyLettersEndpoint.class));
    }

    @Test
    void applicationsWithoutActuatorHaveADeskAndNoEndpoints() {
        web.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LetterDesk.class)
                        .hasSingleBean(AuditTrail.class)
                        .doesNotHaveBean("idempotencyLettersEndpoint"));
    }

    @Test
    void applicationsWithoutSpringSecurityRestoreNames() {
        web.withClassLoader(new FilteredClassLoader("org.springframework.security"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(PrincipalByName.class));
    }

    @Test
    void anIdentityOfTheApplicationsOwnReplacesOurs() {
        RedriveIdentity own = (request, original) -> request;
        web.withBean(RedriveIdentity.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(RedriveIdentity.class)).isSameAs(own));
    }

    @Test
    void lettersAreEncryptedIfRecordsAre() {
        web.withPropertyValues(
                        "idempotency.encryption.keys[0].id=k1", "idempotency.encryption.keys[0].secret=" + SECRET)
                .run(context -> assertThat(context.getBean(DeadLetterQueue.class))
                        .isInstanceOf(EncryptingDeadLetterQueue.class));
    }

    @Test
    void whatOperatorsDoIsAnAuditEvent() {
        List<AuditApplicationEvent> events = new ArrayList<>();
        web.withBean("events", ApplicationListener.class, () ->
                        (ApplicationListener<AuditApplicationEvent>) events::add)
                .run(context -> {
                    context.getBean(AuditTrail.class).add("olga", Map.of("event", "letter.discard", "letter", "l1"));
                    assertThat(events).singleElement().satisfies(event -> {
                        assertThat(event.getAuditEvent().getPrincipal()).isEqualTo("olga");
                        assertThat(event.getAuditEvent().getType()).isEqualTo("IDEMPOTENCY_LETTER_DISCARD");
                        assertThat(event.getAuditEvent().getData()).containsEntry("letter", "l1");
                    });
                });
    }
}
