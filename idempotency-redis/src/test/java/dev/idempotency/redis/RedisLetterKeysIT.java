// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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
