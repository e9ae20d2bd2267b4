// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.spring.operator.AuditTrail;
import dev.idempotency.spring.operator.LetterDesk;
import dev.idempotency.spring.operator.Loopback;
import dev.idempotency.spring.operator.PrincipalByName;
import dev.idempotency.spring.operator.RedriveFilter;
import dev.idempotency.spring.operator.RedriveIdentity;
import dev.idempotency.spring.operator.RedriveTickets;
import dev.idempotency.spring.operator.UserDetailsIdentity;
import dev.idempotency.spring.problem.ProblemRenderer;
import dev.idempotency.spring.web.IdempotencyFilter;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;

/** What operators do: redriving and discarding dead letters, and the audit of it. */
@AutoConfiguration(after = WebIdempotencyAutoConfiguration.class)
@ConditionalOnClass(name = "jakarta.servlet.Filter")
@ConditionalOnBean(IdempotencyFilter.class)
public final class OperatorAutoConfiguration {

    @Bean
    RedriveTickets idempotencyRedriveTickets() {
        return new RedriveTickets();
    }

    @Bean
    FilterRegistrationBean<RedriveFilter> idempotencyRedriveFilterRegistration(
            RedriveTickets tickets, RedriveIdentity identity, ProblemRenderer problems) {
        FilterRegistrationBean<RedriveFilter> registration =
                new FilterRegistrationBean<>(new RedriveFilter(tickets, identity, problems));
        registration.setOrder(RedriveFilter.ORDER);
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
        return registration;
    }

    @Bean
    @ConditionalOnMissingBean
    LetterDesk idempotencyLetterDesk(
            DeadLetterQueue queue,
            RedriveTickets tickets,
            AuditTrail audit,
            IdempotencyProperties properties,
            Environment environment) {
        DeadLetterProperties.Redrive redrive = properties.deadLetters().redrive();
        Loopback loopback = new Loopback(new OwnAddress(environment, redrive.baseUrl()));
        return new LetterDesk(queue, tickets, loopback, audit, redrive.timeout());
    }

    /** Audit events of Spring Boot's actuator, if that is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(AuditApplicationEvent.class)
    static class WithActuator {

        @Bean
        @ConditionalOnMissingBean
        AuditTrail idempotencyAuditTrail(ApplicationEventPublisher publisher) {
            return new AuditTrail((operator, data) -> publisher.publishEvent(
                    new AuditApplicationEvent(new AuditEvent(operator, type(data.get("event")), data))));
        }

        /** As Spring's own types are written. */
        private static String type(@Nullable Object event) {
            return "IDEMPOTENCY_"
                    + String.valueOf(event).toUpperCase(Locale.ROOT).replace('.', '_');
        }
    }

    /** The log alone. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.boot.actuate.audit.listener.AuditApplicationEvent")
    static class WithoutActuator {

        @Bean
        @ConditionalOnMissingBean
        AuditTrail idempotencyAuditTrail() {
            return new AuditTrail((operator, data) -> {});
        }
    }

    /** Principals of Spring Security, if that is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RequestAttributeSecurityContextRepository.class, UserDetailsService.class})
    static class WithSecurity {

        @Bean
        @ConditionalOnMissingBean
        RedriveIdentity idempotencyRedriveIdentity(ObjectProvider<UserDetailsService> users) {
            return new UserDetailsIdentity(users::getIfUnique);
        }
    }

    /** Names of principals. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.security.web.context.RequestAttributeSecurityContextRepository")
    static class WithoutSecurity {

        @Bean
        @ConditionalOnMissingBean
        RedriveIdentity idempotencyRedriveIdentity() {
            return new PrincipalByName();
        }
    }
}
