// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.spring.metrics.MeterListener;
import dev.idempotency.spring.metrics.WebhookMeters;
import dev.idempotency.store.IdempotencyStore;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
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
public final class MetricsIdempotencyAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    MeterListener idempotencyMeterListener(MeterRegistry meters, IdempotencyStore store) {
        return new MeterListener(meters, store.name());
    }

    @Bean
    @ConditionalOnMissingBean
    WebhookMeters idempotencyWebhookMeters(MeterRegistry meters) {
        return new WebhookMeters(meters);
    }
}
