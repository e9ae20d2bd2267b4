// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.json.JsonTokenizer;
import dev.idempotency.spring.problem.ProblemJsonRenderer;
import dev.idempotency.spring.problem.ProblemRenderer;
import dev.idempotency.spring.webhook.DeliveryCoverage;
import dev.idempotency.spring.webhook.WebhookFilter;
import dev.idempotency.spring.webhook.WebhookListener;
import dev.idempotency.spring.webhook.WebhookListeners;
import dev.idempotency.spring.webhook.WebhookSecrets;
import dev.idempotency.spring.webhook.WebhookSenders;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.time.Clock;
import java.util.EnumSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Verification of webhooks, in every servlet application. It stays when {@code idempotency.enabled} is {@code false}: who
 * switches protection against repeats off does not mean to believe forgeries.
 */
@AutoConfiguration(after = JsonAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, PathPatternParser.class})
@EnableConfigurationProperties(IdempotencyProperties.class)
public final class WebhookAutoConfiguration {

    @Bean
    WebhookSenders idempotencyWebhookSenders(IdempotencyProperties properties, ObjectProvider<WebhookSecrets> secrets) {
        return new WebhookSenderFactory(secrets.getIfAvailable())
                .senders(properties.webhook().senders());
    }

    @Bean
    @Conditional(SendersCondition.class)
    DeliveryCoverage idempotencyDeliveryCoverage(ObjectProvider<WebhookListener> listeners) {
        return new DeliveryCoverage(new WebhookListeners(listeners.orderedStream()));
    }

    @Bean
    @Conditional(SendersCondition.class)
    FilterRegistrationBean<WebhookFilter> idempotencyWebhookFilterRegistration(
            WebhookSenders senders,
            IdempotencyProperties properties,
            ObjectProvider<Clock> clock,
            ObjectProvider<JsonTokenizer> tokenizers,
            ObjectProvider<ProblemRenderer> problems,
            ObjectProvider<WebhookListener> listeners) {
        WebhookFilter filter;
        try {
            filter = new WebhookFilter(
                    properties.enabled() ? senders : senders.withoutEventIds(),
                    (int) properties.request().maxSize().toBytes(),
                    clock.getIfUnique(Clock::systemUTC),
                    tokenizers.getIfAvailable(),
                    problems.getIfAvailable(
                            () -> new ProblemJsonRenderer(properties.problemBaseUri(), properties.documentationUrl())),
                    new WebhookListeners(listeners.orderedStream()));
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException("idempotency.webhook " + e.getMessage(), e);
        }
        FilterRegistrationBean<WebhookFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(properties.filterOrder() - 1);
        // Not of errors: what answers them has been verified, or is the answer to what was not.
        registration.setDispatcherTypes(EnumSet.of(
                DispatcherType.REQUEST, DispatcherType.FORWARD, DispatcherType.INCLUDE, DispatcherType.ASYNC));
        return registration;
    }

    /** Senders are named in the settings. */
    static final class SendersCondition implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return Binder.get(context.getEnvironment())
                    .bind("idempotency.webhook.senders", Bindable.mapOf(String.class, Object.class))
                    .isBound();
        }
    }
}
