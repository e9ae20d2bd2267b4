// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connection factories for tests, started as an application context would start them. */
final class TestConnections {

    private TestConnections() {}

    static LettuceConnectionFactory lettuce(String host, int port) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(host, port);
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    static JedisConnectionFactory jedis(String host, int port) {
        JedisConnectionFactory factory = new JedisConnectionFactory(new RedisStandaloneConfiguration(host, port));
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}
