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
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
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
    private static final String DEFAULT_FACTORY = "redisConnectionFactory";

    @Bean
    RedisIdempotencyStore idempotencyStore(
            IdempotencyProperties properties,
            Environment environment,
            ObjectProvider<RedisConnectionFactory> factories,
            BeanFactory beans) {
        Redis redis = properties.redis();
        return new RedisIdempotencyStore(
                factory(redis.connectionFactory(), factories, beans),
                redis.keyPrefix(),
                Namespaces.of(properties, environment),
                redis.commandTimeout(),
                new ReplicaWait(redis.waitReplicas(), redis.waitTimeout()));
    }

    @Bean
    RedisSafetyCheck idempotencyRedisSafetyCheck(
            IdempotencyProperties properties, ObjectProvider<RedisConnectionFactory> factories, BeanFactory beans) {
        Redis redis = properties.redis();
        RedisConnectionFactory factory = factory(redis.connectionFactory(), factories, beans);
        return new RedisSafetyCheck(
                new RedisServerCheck(factory, redis.waitReplicas()), redis.safety(), CHECK_AGAIN_EVERY);
    }

    @Bean
    @ConditionalOnMissingBean(DeadLetterQueue.class)
    RedisDeadLetterQueue idempotencyDeadLetterQueue(
            IdempotencyProperties properties,
            Environment environment,
            ObjectProvider<RedisConnectionFactory> factories,
            BeanFactory beans) {
        Redis redis = properties.redis();
        return new RedisDeadLetterQueue(
                factory(redis.connectionFactory(), factories, beans),
                redis.keyPrefix(),
                Namespaces.of(properties, environment),
                redis.commandTimeout(),
                properties.deadLetters().limits());
    }

    private static RedisConnectionFactory factory(
            @Nullable String name, ObjectProvider<RedisConnectionFactory> factories, BeanFactory beans) {
        if (name != null) {
            try {
                return beans.getBean(name, RedisConnectionFactory.class);
            } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
                throw new InvalidConfigurationException(
                        "idempotency.redis.connection-factory must name a RedisConnectionFactory bean, but is " + name,
                        e);
            }
        }
        RedisConnectionFactory only = factories.getIfUnique();
        if (only != null) {
            return only;
        }
        if (beans.containsBean(DEFAULT_FACTORY)) {
            return beans.getBean(DEFAULT_FACTORY, RedisConnectionFactory.class);
        }
        throw new InvalidConfigurationException(
                "the application has several RedisConnectionFactory beans and none of them is primary;"
                        + " idempotency.redis.connection-factory must name the one to use");
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
