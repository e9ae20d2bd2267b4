// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.IdempotencyCoordinator;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.spring.autoconfigure.IdempotencyProperties.StoreType;
import dev.idempotency.store.IdempotencyStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
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
        return properties.memory().newStore();
    }

    @Bean
    @ConditionalOnMissingBean
    DeadLetterQueue idempotencyDeadLetterQueue(IdempotencyProperties properties) {
        return new InMemoryDeadLetterQueue(properties.deadLetters().limits());
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyCoordinator idempotencyCoordinator(
            IdempotencyStore store,
            DeadLetterQueue deadLetters,
            ObjectProvider<IdempotencyListener> listeners,
            IdempotencyProperties properties) {
        return new IdempotencyCoordinator(
                properties.localCache().before(store),
                deadLetters,
                listeners.orderedStream().toList());
    }
}
