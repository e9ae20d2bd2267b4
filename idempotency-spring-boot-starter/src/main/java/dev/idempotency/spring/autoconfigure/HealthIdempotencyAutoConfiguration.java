// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.IdempotencyCoordinator;
import dev.idempotency.boot3.Boot3HealthIndicator;
import dev.idempotency.spring.health.Boot4HealthIndicator;
import dev.idempotency.spring.health.StoreHealth;
import dev.idempotency.store.IdempotencyStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The health of the store, on either generation of Spring Boot. */
@AutoConfiguration(after = {WebIdempotencyAutoConfiguration.class, MethodIdempotencyAutoConfiguration.class})
@ConditionalOnBean(IdempotencyCoordinator.class)
@Conditional(HealthIdempotencyAutoConfiguration.Enabled.class)
public final class HealthIdempotencyAutoConfiguration {

    private static final String NAME = "idempotencyHealthIndicator";

    @Bean
    @ConditionalOnMissingBean
    StoreHealth idempotencyStoreHealth(IdempotencyStore store, ObjectProvider<EndpointRegistry> endpoints) {
        return new StoreHealth(store, () -> {
            EndpointRegistry registry = endpoints.getIfAvailable();
            return registry == null || registry.refusesWithoutStore();
        });
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    static class Boot3 {

        @Bean(NAME)
        @ConditionalOnMissingBean(name = NAME)
        Boot3HealthIndicator idempotencyHealthIndicator(StoreHealth health) {
            return new Boot3HealthIndicator(health::check);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    static class Boot4 {

        @Bean(NAME)
        @ConditionalOnMissingBean(name = NAME)
        Boot4HealthIndicator idempotencyHealthIndicator(StoreHealth health) {
            return new Boot4HealthIndicator(health);
        }
    }

    /** As Boot's own condition has it, which has another name on each generation. */
    static final class Enabled implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            boolean byDefault = environment.getProperty("management.health.defaults.enabled", Boolean.class, true);
            return environment.getProperty("management.health.idempotency.enabled", Boolean.class, byDefault);
        }
    }
}
