// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connection factories for tests, started as an application context would start them. */
final class TestConnections {

    private TestConnections() {}

    static LettuceConnectionFactory lettuce(TestRedis redis) {
        return lettuce(redis.host(), redis.port());
    }

    static LettuceConnectionFactory lettuce(String host, int port) {
        LettuceClientConfiguration quickToClose = LettuceClientConfiguration.builder()
                .shutdownTimeout(Duration.ZERO)
                .build();
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration(host, port), quickToClose);
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    static JedisConnectionFactory jedis(TestRedis redis) {
        return jedis(redis.host(), redis.port());
    }

    static JedisConnectionFactory jedis(String host, int port) {
        JedisConnectionFactory factory = new JedisConnectionFactory(new RedisStandaloneConfiguration(host, port));
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    /** Runs commands beside the store. */
    static <T> T on(RedisConnectionFactory factory, Function<RedisConnection, T> commands) {
        try (RedisConnection connection = factory.getConnection()) {
            return commands.apply(connection);
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
