// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.redis.RedisDeadLetterQueue;
import dev.idempotency.redis.RedisIdempotencyStore;
import dev.idempotency.redis.RedisServerCheck;
import dev.idempotency.redis.ReplicaWait;
import dev.idempotency.spring.autoconfigure.IdempotencyProperties.Redis;
import dev.idempotency.store.IdempotencyStore;
import java.time.Duration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Records in Redis, if the application has a connection to it and {@code idempotency.store} does not say otherwise. */
@AutoConfiguration(
        before = IdempotencyAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration", // Boot 4
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration" // Boot 3
        })
@ConditionalOnClass({RedisIdempotencyStore.class, RedisConnectionFactory.class})
@ConditionalOnBean(RedisConnectionFactory.class)
@ConditionalOnMissingBean(IdempotencyStore.class)
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
@Conditional(RedisStoreAutoConfiguration.Wanted.class)
@EnableConfigurationProperties(IdempotencyProperties.class)
public final class RedisStoreAutoConfiguration {

    private static final Duration CHECK_AGAIN_EVERY = Duration.ofSeconds(10);
    private static final ChosenBean<RedisConnectionFactory> FACTORY =
            new ChosenBean<>(RedisConnectionFactory.class, "redis.connection-factory", "redisConnectionFactory");

    @Bean
    RedisIdempotencyStore idempotencyStore(
            IdempotencyProperties properties, Environment environment, BeanFactory beans) {
        Redis redis = properties.redis();
        return new RedisIdempotencyStore(
                FACTORY.get(redis.connectionFactory(), beans),
                redis.keyPrefix(),
                Namespaces.of(properties, environment),
                redis.commandTimeout(),
                new ReplicaWait(redis.waitReplicas(), redis.waitTimeout()));
    }

    @Bean
    RedisSafetyCheck idempotencyRedisSafetyCheck(IdempotencyProperties properties, BeanFactory beans) {
        Redis redis = properties.redis();
        RedisConnectionFactory factory = FACTORY.get(redis.connectionFactory(), beans);
        return new RedisSafetyCheck(
                new RedisServerCheck(factory, redis.waitReplicas()), redis.safety(), CHECK_AGAIN_EVERY);
    }

    @Bean
    @ConditionalOnMissingBean(DeadLetterQueue.class)
    RedisDeadLetterQueue idempotencyDeadLetterQueue(
            IdempotencyProperties properties, Environment environment, BeanFactory beans) {
        Redis redis = properties.redis();
        return new RedisDeadLetterQueue(
                FACTORY.get(redis.connectionFactory(), beans),
                redis.keyPrefix(),
                Namespaces.of(properties, environment),
                redis.commandTimeout(),
                properties.deadLetters().limits());
    }

    /** Redis by name, or by being there. */
    static final class Wanted extends AnyNestedCondition {

        Wanted() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty(name = "idempotency.store", havingValue = "redis")
        static final class ByName {}

        @ConditionalOnProperty(name = "idempotency.store", havingValue = "auto", matchIfMissing = true)
        static final class ByBeingThere {}
    }
}
