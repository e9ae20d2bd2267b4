// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.IdempotencyCoordinator;
import dev.idempotency.json.JsonTokenizer;
import dev.idempotency.spring.autoconfigure.EndpointPolicies.EndpointPolicy;
import dev.idempotency.spring.json.ValueCodec;
import dev.idempotency.spring.method.IdempotencyTemplate;
import dev.idempotency.spring.method.IdempotentCalls;
import dev.idempotency.spring.method.MethodRegistry;
import dev.idempotency.spring.method.MethodRules;
import dev.idempotency.spring.transaction.BusinessTransactions;
import dev.idempotency.store.IdempotencyStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/** Protection of any bean's methods and the template, in every application that has a coordinator. */
@AutoConfiguration(
        after = {IdempotencyAutoConfiguration.class, JsonAutoConfiguration.class, WebIdempotencyAutoConfiguration.class
        })
public final class MethodIdempotencyAutoConfiguration {

    static final String TEMPLATE = "idempotencyTemplate";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(IdempotencyCoordinator.class)
    static class Protected {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static MethodRegistry idempotencyMethodRegistry(
                ObjectProvider<IdempotencyProperties> properties,
                ObjectProvider<BusinessTransactions> transactions,
                ObjectProvider<IdempotentCalls> calls) {
            SingletonSupplier<EndpointPolicies> policies =
                    SingletonSupplier.of(() -> new EndpointPolicies(properties.getObject(), transactions.getObject()));
            return new MethodRegistry(
                    method -> rules(policies.obtain().annotated(method.annotation(), method.name())), calls::getObject);
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static MethodPostProcessor idempotencyMethodPostProcessor(MethodRegistry registry) {
            return new MethodPostProcessor(registry);
        }

        @Bean
        IdempotentCalls idempotencyCalls(
                IdempotencyCoordinator coordinator,
                IdempotencyProperties properties,
                Environment environment,
                ObjectProvider<ValueCodec> codecs,
                ObjectProvider<JsonTokenizer> tokenizers,
                BusinessTransactions transactions) {
            return new IdempotentCalls(
                    coordinator,
                    codecs.getIfAvailable(),
                    new IdempotentCalls.Settings(
                            Namespaces.of(properties, environment),
                            properties.dataCenter(),
                            (int) properties.response().maxSize().toBytes(),
                            tokenizers.getIfAvailable(),
                            transactions,
                            properties.deadLetters().methodBytes()));
        }

        @Bean(TEMPLATE)
        @ConditionalOnMissingBean
        IdempotencyTemplate idempotencyTemplate(
                IdempotentCalls calls, IdempotencyProperties properties, BusinessTransactions transactions) {
            EndpointPolicies policies = new EndpointPolicies(properties, transactions);
            return new IdempotencyTemplate(calls, bizType -> rules(policies.named(bizType, "IdempotencyTemplate:")));
        }

        private static MethodRules rules(EndpointPolicy policy) {
            return new MethodRules(policy.policy(), policy.missingKey(), policy.ignored());
        }

        @Bean
        MethodStartup idempotencyMethodStartup(
                MethodRegistry registry, MethodPostProcessor processor, ConfigurableListableBeanFactory beans) {
            return new MethodStartup(registry, processor, beans);
        }

        /** Where no endpoints are scanned, the methods are looked at alone. */
        @Bean
        @ConditionalOnMissingBean(name = WebIdempotencyAutoConfiguration.ENDPOINTS)
        SmartInitializingSingleton idempotencyMethodCheck(
                MethodStartup methods,
                IdempotencyProperties properties,
                IdempotencyStore store,
                BusinessTransactions transactions) {
            return () -> {
                methods.start((type, method) -> false);
                new EndpointPolicies(properties, transactions).requireUsed(methods.bizTypes(), methods.usesTemplate());
                new StartupReport(store.name(), null, true).log(0, methods.count(), methods.bizTypes());
            };
        }
    }

    /** Idempotency is switched off: code that uses the template runs unprotected, as annotated code does. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "idempotency.enabled", havingValue = false)
    static class Unprotected {

        @Bean(TEMPLATE)
        @ConditionalOnMissingBean
        IdempotencyTemplate idempotencyTemplate() {
            return new IdempotencyTemplate(null, bizType -> {
                throw new IllegalStateException("nothing is protected");
            });
        }
    }
}
