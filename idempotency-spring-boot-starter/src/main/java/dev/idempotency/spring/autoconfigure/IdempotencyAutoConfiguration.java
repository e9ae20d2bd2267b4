// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.IdempotencyCoordinator;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.encoding.EncodingStore;
import dev.idempotency.encoding.EncryptingDeadLetterQueue;
import dev.idempotency.encryption.PayloadEncryption;
import dev.idempotency.event.AuditLog;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.spring.autoconfigure.IdempotencyProperties.StoreType;
import dev.idempotency.store.IdempotencyStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The coordinator with its store; in memory unless another auto-configuration or the application has brought one. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
@EnableConfigurationProperties(IdempotencyProperties.class)
public final class IdempotencyAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    IdempotencyStore idempotencyStore(IdempotencyProperties properties) {
        if (properties.store() == StoreType.REDIS) {
            throw new InvalidConfigurationException(
                    "idempotency.store is redis, but the application has no RedisConnectionFactory; add"
                            + " spring-boot-starter-data-redis or choose another store");
        }
        if (properties.store() == StoreType.JDBC) {
            throw new InvalidConfigurationException(
                    "idempotency.store is jdbc, but the application has no DataSource; add spring-boot-starter-jdbc or"
                            + " choose another store");
        }
        return properties.memory().newStore();
    }

    @Bean
    @ConditionalOnMissingBean
    DeadLetterQueue idempotencyDeadLetterQueue(IdempotencyProperties properties) {
        return new InMemoryDeadLetterQueue(properties.deadLetters().limits());
    }

    @Bean
    @ConditionalOnMissingBean
    AuditLog idempotencyAuditLog() {
        return new AuditLog();
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty("idempotency.encryption.keys[0].id")
    PayloadEncryption idempotencyPayloadEncryption(IdempotencyProperties properties) {
        return properties.encryption().newEncryption();
    }

    /** Whatever queue there is, what it keeps is encrypted, and what it is asked for readable. */
    @Bean
    static BeanPostProcessor idempotencyDeadLetterEncryption(
            ObjectProvider<PayloadEncryption> encryption, ObjectProvider<IdempotencyProperties> properties) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                PayloadEncryption present = bean instanceof DeadLetterQueue ? encryption.getIfAvailable() : null;
                return present == null || bean instanceof EncryptingDeadLetterQueue
                        ? bean
                        : new EncryptingDeadLetterQueue(
                                (DeadLetterQueue) bean,
                                present,
                                properties.getObject().encryption().acceptUnencrypted());
            }
        };
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyCoordinator idempotencyCoordinator(
            IdempotencyStore store,
            DeadLetterQueue deadLetters,
            ObjectProvider<PayloadEncryption> encryption,
            ObjectProvider<IdempotencyListener> listeners,
            ObjectProvider<StoreLayer> layers,
            IdempotencyProperties properties) {
        Rule.property("route-breaker")
                .holds(
                        store.routeStates() != null || !properties.usesRouteBreaker(),
                        "needs a store that can share how bizTypes stand",
                        store.name());
        IdempotencyStore layered = store;
        for (StoreLayer layer : layers) {
            layered = layer.apply(layered);
        }
        IdempotencyStore encoding = new EncodingStore(
                layered,
                properties.compression().newCompression(properties.response().maxSize()),
                encryption.getIfAvailable(),
                properties.encryption().acceptUnencrypted());
        return new IdempotencyCoordinator(
                properties.localCache().before(store, encoding),
                deadLetters,
                listeners.orderedStream().toList());
    }
}
