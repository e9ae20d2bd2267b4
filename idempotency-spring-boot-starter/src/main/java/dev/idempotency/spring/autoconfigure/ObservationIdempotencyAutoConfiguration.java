// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.spring.observation.ObservationListener;
import dev.idempotency.spring.observation.ReplayLinks;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Observations, if the application has a registry for them, and their spans, if it has a tracer. */
@AutoConfiguration(
        before = IdempotencyAutoConfiguration.class,
        afterName = {
            // Boot 4
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
            // Boot 3
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration"
        })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnSingleCandidate(ObservationRegistry.class)
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
public final class ObservationIdempotencyAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ObservationListener idempotencyObservationListener(ObservationRegistry registry) {
        return new ObservationListener(registry);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Tracer.class)
    @ConditionalOnBean(Tracer.class)
    static class Spans {

        /** Before Boot's own handler, which takes every context. */
        @Bean
        @ConditionalOnMissingBean
        @Order(0)
        ReplayLinks idempotencyReplayLinks(Tracer tracer) {
            return new ReplayLinks(tracer);
        }
    }
}
