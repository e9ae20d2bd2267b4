// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.redis.RedisIdempotencyStore;
import dev.idempotency.redis.RedisServerCheck;
import dev.idempotency.redis.TestRedis;
import dev.idempotency.spring.autoconfigure.IdempotencyProperties.Safety;
import dev.idempotency.spring.autoconfigure.TestApplications.Orders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Row C65: a server that evicts records, and one that is away. */
@ExtendWith(OutputCaptureExtension.class)
class RedisSafetyCheckIT {

    private static TestRedis redis;
    private static LettuceConnectionFactory connections;

    private final WebApplicationContextRunner web = TestApplications.web(Orders.class)
            .withPropertyValues("idempotency.store=redis")
            .withBean(RedisConnectionFactory.class, () -> connect(redis));

    @BeforeAll
    static void start() {
        redis = TestRedis.startPrivate();
        connections = connect(redis);
    }

    @AfterAll
    static void stop() {
        connections.destroy();
        redis.close();
    }

    @AfterEach
    void keepEverythingAgain() {
        evict("noeviction");
    }

    @Test
    void aServerThatEvictsIsWarnedOf(CapturedOutput output) {
        evict("allkeys-lru");
        web.run(context -> assertThat(context).hasNotFailed().hasSingleBean(RedisIdempotencyStore.class));
        assertThat(output)
                .contains("Redis forgets keys when its memory is full (maxmemory-policy allkeys-lru)")
                .contains("Redis has no append-only file")
                .contains("Redis has no replica");
    }

    @Test
    void aServerThatEvictsStopsAStrictStart() {
        evict("volatile-ttl");
        web.withPropertyValues("idempotency.redis.safety=strict")
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContaining("maxmemory-policy volatile-ttl")
                        .hasMessageEndingWith("(idempotency.redis.safety is strict)"));
    }

    @Test
    void nobodyLooksIfTheCheckIsOff(CapturedOutput output) {
        evict("allkeys-lru");
        web.withPropertyValues("idempotency.redis.safety=off")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("maxmemory-policy");
    }

    @Test
    void aServerThatIsAwayStopsOnlyAStrictStart(CapturedOutput output) {
        TestRedis away = TestRedis.startPrivate();
        away.stop();
        WebApplicationContextRunner runner =
                TestApplications.web(Orders.class).withBean(RedisConnectionFactory.class, () -> connect(away));
        runner.run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("Redis did not answer at start-up; it is checked as soon as it does.");
        runner.withPropertyValues("idempotency.redis.safety=strict")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessage("idempotency.redis.safety is strict, but Redis did not answer at start-up"));
    }

    @Test
    void aServerThatComesLaterIsCheckedThen(CapturedOutput output) {
        TestRedis late = TestRedis.startPrivate();
        LettuceConnectionFactory toIt = connect(late);
        late.stop();
        RedisSafetyCheck check =
                new RedisSafetyCheck(new RedisServerCheck(toIt, 0), Safety.WARN, Duration.ofMillis(50));
        check.afterSingletonsInstantiated();
        assertThat(output).doesNotContain("append-only");
        late.start();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(output).contains("Redis has no append-only file"));
        check.destroy();
        toIt.destroy();
        late.close();
    }

    private static void evict(String policy) {
        try (RedisConnection connection = connections.getConnection()) {
            connection.execute(
                    "CONFIG", bytes("SET"), bytes("maxmemory-policy"), policy.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static LettuceConnectionFactory connect(TestRedis server) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(server.host(), server.port());
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}
