// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.redis.RedisServerCheck.Findings;
import dev.idempotency.store.StoreUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class RedisServerCheckIT {

    private final TestRedis redis = TestRedis.startPrivate();
    private final LettuceConnectionFactory lettuce = TestConnections.lettuce(redis);
    private final JedisConnectionFactory jedis = TestConnections.jedis(redis);

    @AfterEach
    void stop() {
        lettuce.destroy();
        jedis.destroy();
        redis.close();
    }

    @Test
    void whatAServerIsWithoutSettingsIsSaid() {
        Findings findings = new RedisServerCheck(lettuce, 0).check();
        assertThat(findings.refusals()).isEmpty();
        assertThat(findings.concerns())
                .hasSize(2)
                .anySatisfy(sentence -> assertThat(sentence).contains("no append-only file"))
                .anySatisfy(sentence -> assertThat(sentence).contains("no replica"));
        assertThat(new RedisServerCheck(jedis, 0).check()).isEqualTo(findings);
    }

    @Test
    void everySettingCounts() {
        command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        command("CONFIG", "SET", "appendonly", "yes");
        assertThat(new RedisServerCheck(lettuce, 1).check().concerns())
                .hasSize(2)
                .anySatisfy(sentence -> assertThat(sentence).contains("maxmemory-policy allkeys-lru"))
                .anySatisfy(sentence -> assertThat(sentence).contains("wait-replicas is 1"));
        command("CONFIG", "SET", "appendonly", "no");
    }

    @Test
    void aServerThatTellsNothingIsOneConcern() {
        command("ACL", "SETUSER", "mute", "on", ">secret", "~*", "+@all", "-info");
        for (RedisConnectionFactory factory : new RedisConnectionFactory[] {mute(true), mute(false)}) {
            Findings findings = new RedisServerCheck(factory, 0).check();
            assertThat(findings.refusals()).isEmpty();
            assertThat(findings.concerns()).singleElement().asString().contains("were not checked");
            destroy(factory);
        }
    }

    @Test
    void aServerThatIsAwayIsUnavailable() {
        redis.stop();
        assertThatThrownBy(() -> new RedisServerCheck(lettuce, 0).check())
                .isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> new RedisServerCheck(jedis, 0).check()).isInstanceOf(StoreUnavailableException.class);
        redis.start();
        assertThat(new RedisServerCheck(lettuce, 0).check().concerns()).hasSize(2);
    }

    private RedisConnectionFactory mute(boolean overLettuce) {
        RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(redis.host(), redis.port());
        configuration.setUsername("mute");
        configuration.setPassword("secret");
        if (overLettuce) {
            LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration);
            factory.afterPropertiesSet();
            factory.start();
            return factory;
        }
        JedisConnectionFactory factory = new JedisConnectionFactory(configuration);
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    private static void destroy(RedisConnectionFactory factory) {
        if (factory instanceof LettuceConnectionFactory opened) {
            opened.destroy();
        } else if (factory instanceof JedisConnectionFactory opened) {
            opened.destroy();
        }
    }

    private void command(String name, String... arguments) {
        byte[][] bytes = new byte[arguments.length][];
        for (int i = 0; i < arguments.length; i++) {
            bytes[i] = TestConnections.bytes(arguments[i]);
        }
        TestConnections.on(lettuce, connection -> connection.execute(name, bytes));
    }
}
