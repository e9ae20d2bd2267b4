// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.IdempotencyCoordinator;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.spring.metrics.DeadLetterMeters;
import dev.idempotency.spring.metrics.MeterListener;
import dev.idempotency.spring.metrics.MeteredStore;
import dev.idempotency.spring.metrics.RouteMeters;
import dev.idempotency.spring.metrics.WebhookMeters;
import dev.idempotency.store.IdempotencyStore;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Meters, if the application has a registry. */
@AutoConfiguration(
        before = IdempotencyAutoConfiguration.class,
        afterName = {
            // Boot 4
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            // Boot 3
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
@EnableConfigurationProperties(IdempotencyProperties.class)
public final class MetricsIdempotencyAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    MeterListener idempotencyMeterListener(MeterRegistry meters, IdempotencyStore store) {
        return new MeterListener(meters, store.name());
    }

    @Bean
    @ConditionalOnMissingBean
    DeadLetterMeters idempotencyDeadLetterMeters(DeadLetterQueue queue) {
        return new DeadLetterMeters(queue);
    }

    @Bean
    @ConditionalOnMissingBean
    RouteMeters idempotencyRouteMeters(
            ObjectProvider<IdempotencyCoordinator> coordinator, IdempotencyProperties properties) {
        return new RouteMeters(() -> coordinator.getObject().routes(), properties.usesRouteBreaker());
    }

    @Bean
    StoreLayer idempotencyMeteredStore(MeterRegistry meters) {
        return store -> new MeteredStore(store, meters);
    }

    @Bean
    @ConditionalOnMissingBean
    WebhookMeters idempotencyWebhookMeters(MeterRegistry meters) {
        return new WebhookMeters(meters);
    }
}
