// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.IdempotencyCoordinator;
import dev.idempotency.json.JsonTokenizer;
import dev.idempotency.spring.autoconfigure.IdempotencyProperties.JsonComparison;
import dev.idempotency.spring.hygiene.KeyHygiene;
import dev.idempotency.spring.hygiene.WeakKeyListener;
import dev.idempotency.spring.identity.ArgumentBinder;
import dev.idempotency.spring.identity.BusinessIdResolver;
import dev.idempotency.spring.identity.IdempotencyKeyHeader;
import dev.idempotency.spring.identity.IdempotencyKeyResolver;
import dev.idempotency.spring.identity.IdentitySettings;
import dev.idempotency.spring.identity.TenantResolver;
import dev.idempotency.spring.problem.ProblemJsonRenderer;
import dev.idempotency.spring.problem.ProblemRenderer;
import dev.idempotency.spring.transaction.BusinessTransactions;
import dev.idempotency.spring.web.ExchangeListener;
import dev.idempotency.spring.web.FailureClassifier;
import dev.idempotency.spring.web.FailureClassifier.Attempt;
import dev.idempotency.spring.web.IdempotencyExceptionResolver;
import dev.idempotency.spring.web.IdempotencyFilter;
import dev.idempotency.spring.webhook.DeliveryCoverage;
import dev.idempotency.spring.webhook.WebhookSenders;
import dev.idempotency.store.IdempotencyStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.time.Clock;
import java.util.EnumSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletListenerRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/** The servlet filter, in every servlet application that has a coordinator. */
@AutoConfiguration(
        after = {IdempotencyAutoConfiguration.class, JsonAutoConfiguration.class, WebhookAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, RequestMappingHandlerAdapter.class})
@ConditionalOnBean(IdempotencyCoordinator.class)
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
public final class WebIdempotencyAutoConfiguration {

    /** Name of the bean that is there if, and only if, the filter protects endpoints. */
    static final String ENDPOINTS = "idempotencyEndpointRegistry";

    @Bean
    @ConditionalOnMissingBean
    ProblemRenderer idempotencyProblemRenderer(IdempotencyProperties properties) {
        return new ProblemJsonRenderer(properties.problemBaseUri(), properties.documentationUrl());
    }

    @Bean(ENDPOINTS)
    EndpointRegistry idempotencyEndpointRegistry(
            IdempotencyProperties properties,
            Environment environment,
            IdempotencyStore store,
            ObjectProvider<JsonTokenizer> tokenizers,
            ObjectProvider<BusinessIdResolver> businessIds,
            ObjectProvider<TenantResolver> tenants,
            ObjectProvider<FailureClassifier> classifiers,
            ObjectProvider<RequestMappingHandlerAdapter> adapters,
            ObjectProvider<MethodStartup> methods,
            BusinessTransactions transactions,
            WebhookSenders senders,
            ObjectProvider<DeliveryCoverage> coverage,
            SurroundingsFinder surroundings) {
        IdentitySettings identity = new IdentitySettings(
                Namespaces.of(properties, environment),
                properties.dataCenter(),
                properties.keyParts(),
                properties.businessId(),
                properties.fingerprint().json() == JsonComparison.CANONICAL,
                tokenizers.getIfAvailable(),
                businessIds.getIfAvailable(),
                tenants.getIfAvailable());
        ArgumentBinder binder =
                new ArgumentBinder(() -> adapters.orderedStream().findFirst().orElseThrow());
        DeliveryEndpoints deliveries = new DeliveryEndpoints(
                senders, properties.webhook().senders(), new DeliveryRules(properties.checks(), coverage::getObject));
        return new EndpointRegistry(
                new EndpointScanner(
                        properties,
                        transactions,
                        classifiers.getIfAvailable(() -> Attempt::byPolicy),
                        identity,
                        binder,
                        deliveries),
                surroundings,
                methods.getIfAvailable(),
                new StartupReport(store.name(), identity, properties.namespace() != null));
    }

    /** Known once the application has started. */
    @Bean
    SurroundingsFinder idempotencySurroundings(
            ObjectProvider<HandlerMapping> mappings,
            ObjectProvider<CorsFilter> corsFilters,
            ObjectProvider<FilterRegistrationBean<?>> filters,
            ObjectProvider<ServletRegistrationBean<?>> servlets) {
        return new SurroundingsFinder(mappings, corsFilters, filters, servlets);
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyKeyResolver idempotencyKeyResolver(IdempotencyProperties properties) {
        return new IdempotencyKeyHeader(properties.headerNames());
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyFilter idempotencyFilter(
            IdempotencyCoordinator coordinator,
            EndpointRegistry endpoints,
            IdempotencyKeyResolver keys,
            ProblemRenderer problems,
            BusinessTransactions transactions,
            ObjectProvider<JsonTokenizer> tokenizers,
            ObjectProvider<Clock> clock,
            ObjectProvider<WeakKeyListener> weakKeys,
            IdempotencyProperties properties) {
        return new IdempotencyFilter(
                coordinator,
                endpoints,
                keys,
                problems,
                properties.replayedHeader(),
                transactions,
                new IdempotencyFilter.Limits(
                        (int) properties.request().maxSize().toBytes(),
                        (int) properties.response().maxSize().toBytes(),
                        properties.deadLetters().snapshots(properties.headerNames(), tokenizers.getIfAvailable())),
                new KeyHygiene(
                        properties.weakKeys(),
                        clock.getIfUnique(Clock::systemUTC),
                        (sender, reason) ->
                                weakKeys.orderedStream().forEach(listener -> listener.weakKey(sender, reason))));
    }

    @Bean
    FilterRegistrationBean<IdempotencyFilter> idempotencyFilterRegistration(
            IdempotencyFilter filter, IdempotencyProperties properties) {
        FilterRegistrationBean<IdempotencyFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(properties.filterOrder());
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
        return registration;
    }

    @Bean
    IdempotencyExceptionResolver idempotencyExceptionResolver(ProblemRenderer problems) {
        return new IdempotencyExceptionResolver(problems);
    }

    @Bean
    ServletListenerRegistrationBean<ExchangeListener> idempotencyExchangeListener() {
        return new ServletListenerRegistrationBean<>(new ExchangeListener());
    }
}
