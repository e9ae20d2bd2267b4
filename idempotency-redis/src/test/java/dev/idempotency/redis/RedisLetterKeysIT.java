// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** What letters leave behind in Redis. */
class RedisLetterKeysIT {

    private static final Duration RETENTION = Duration.ofMinutes(5);

    private final LettuceConnectionFactory connections = TestConnections.lettuce(TestRedis.shared());
    private final String namespace =
            "keys-" + Long.toHexString(OwnerToken.random().high());
    private final RedisDeadLetterQueue queue = new RedisDeadLetterQueue(
            connections,
            "idempotency",
            namespace,
            Duration.ofSeconds(10),
            new DeadLetterLimits(100, 10_000, RETENTION));

    @AfterEach
    void close() {
        connections.destroy();
    }

    @Test
    void everyKeyHasATimeToLive() {
        String redriving = park(1);
        queue.startRedrive(redriving, OwnerToken.random(), Duration.ofSeconds(5), "ann");
        queue.discard(park(2), "ann", "");
        park(3);

        Set<byte[]> keys = keys();
        assertThat(keys).hasSize(6);
        for (byte[] key : keys) {
            Long millis = TestConnections.on(connections, c -> c.keyCommands().pTtl(key));
            assertThat(millis)
                    .isPositive()
                    .isLessThanOrEqualTo(RETENTION.plusSeconds(2).toMillis());
        }
    }

    @Test
    void whatIsAskedForInVainLeavesNoKey() {
        queue.find("none");
        queue.seenAgain("none");
        queue.discard("none", "ann", "");
        queue.counts();

        assertThat(keys()).isEmpty();
    }

    @Test
    void theSumOfBytesIsNoLetter() {
        park(1);

        assertThat(queue.find("total bytes")).isNull();
        assertThat(queue.seenAgain("total bytes")).isFalse();
    }

    @Test
    void aNamespaceThatClusterKeysCannotHaveIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RedisDeadLetterQueue(
                        connections, "idempotency", "{}", Duration.ofSeconds(1), DeadLetterLimits.DEFAULTS))
                .withMessage("neither key prefix nor namespace may contain '{}', but they are 'idempotency:{}:'");
    }

    /** The commands are those of docs/dead-letters.md. */
    @Test
    void aUserOfFewRightsMayDoEverything() {
        try (TestRedis own = TestRedis.startPrivate()) {
            LettuceConnectionFactory owner = TestConnections.lettuce(own);
            String rules = "SETUSER letters on >secret resetkeys ~idempotency:* -@all +evalsha +eval +time +hget +hset"
                    + " +hdel +hincrby +zadd +zrem +zrange +zrangebyscore +zrevrange +zrevrangebyscore +zcard +zcount"
                    + " +pexpire +pttl";
            TestConnections.on(
                    owner,
                    c -> c.execute(
                            "ACL",
                            Stream.of(rules.split(" ", -1))
                                    .map(TestConnections::bytes)
                                    .toArray(byte[][]::new)));
            RedisStandaloneConfiguration limited = new RedisStandaloneConfiguration(own.host(), own.port());
            limited.setUsername("letters");
            limited.setPassword("secret");
            LettuceConnectionFactory user = new LettuceConnectionFactory(limited);
            user.afterPropertiesSet();
            user.start();
            RedisDeadLetterQueue letters = new RedisDeadLetterQueue(
                    user, "idempotency", "acl", Duration.ofSeconds(10), new DeadLetterLimits(2, 10_000, RETENTION));
            for (int version = 1; version <= 4; version++) {
                ParkedRequest request = new ParkedRequest(
                        DeadLetterReason.BREAKER_OPENED, TestClaims.newKey(), version, Payload.of(new byte[10]));
                letters.park(request);
                letters.seenAgain(request.id());
                OwnerToken operator = OwnerToken.random();
                letters.startRedrive(request.id(), operator, RETENTION, "ann");
                letters.endRedrive(request.id(), operator, new RedriveOutcome(RedriveOutcome.Result.NOT_SENT, 0));
                letters.discard(request.id(), "ann", "");
                assertThat(letters.find(request.id()).summary().state()).isEqualTo(DeadLetterState.DISCARDED);
            }
            assertThat(letters.list(LetterFilter.ALL, null, 10).letters()).hasSize(2);
            assertThat(letters.counts().get(DeadLetterState.DISCARDED)).isEqualTo(2);
            user.destroy();
            owner.destroy();
        }
    }

    private String park(int version) {
        ParkedRequest request = new ParkedRequest(
                DeadLetterReason.BREAKER_OPENED, TestClaims.newKey(), version, Payload.of(new byte[100]));
        queue.park(request);
        return request.id();
    }

    private Set<byte[]> keys() {
        byte[] pattern = ("idempotency:" + namespace + ":*").getBytes(StandardCharsets.UTF_8);
        return TestConnections.on(connections, c -> c.keyCommands().keys(pattern));
    }
}
