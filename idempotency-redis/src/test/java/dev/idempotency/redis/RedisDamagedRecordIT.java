// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static dev.idempotency.redis.TestClaims.FAILURE;
import static dev.idempotency.redis.TestClaims.HOUR;
import static dev.idempotency.redis.TestClaims.RELEASE;
import static dev.idempotency.redis.TestClaims.SUCCESS;
import static dev.idempotency.redis.TestClaims.claim;
import static dev.idempotency.redis.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class RedisDamagedRecordIT {

    private static final int STATUS_AT = 1;
    private static final int PAYLOAD_BYTES_AT = 90;
    private static final int FAILURE_COUNT_AT = 119;

    private final OwnerToken owner = OwnerToken.random();
    private final RecordKey key = newKey();
    private final byte[] redisKey = TestConnections.bytes("idempotency:shop:create_order:" + key.hex());
    private LettuceConnectionFactory connections;
    private RedisIdempotencyStore store;

    @BeforeEach
    void open() {
        connections = TestConnections.lettuce(TestRedis.shared());
        store = new RedisIdempotencyStore(connections, "shop");
    }

    @AfterEach
    void close() {
        TestConnections.on(connections, c -> c.keyCommands().del(redisKey));
        connections.destroy();
    }

    @Test
    void truncatedRecordIsUnreadableWhereverItEnds() {
        for (byte[] whole : List.of(pending(), succeeded(), failed())) {
            for (int length = 0; length < whole.length; length++) {
                mustBeUnreadable(Arrays.copyOf(whole, length));
            }
        }
    }

    @Test
    void recordWithMoreBehindItIsUnreadable() {
        for (byte[] whole : List.of(pending(), succeeded(), failed())) {
            mustBeUnreadable(Arrays.copyOf(whole, whole.length + 1));
        }
    }

    @Test
    void otherFormatIsUnreadable() {
        for (int format : new int[] {0, 1, 127, 255}) {
            mustBeUnreadable(with(succeeded(), 0, format));
        }
    }

    @Test
    void unknownStatusIsUnreadable() {
        mustBeUnreadable(with(succeeded(), STATUS_AT, 3));
        mustBeUnreadable(with(failed(), STATUS_AT, 255));
    }

    @Test
    void lengthsThatDoNotFitAreUnreadable() {
        mustBeUnreadable(with(succeeded(), PAYLOAD_BYTES_AT, 255));
        mustBeUnreadable(with(failed(), FAILURE_COUNT_AT, 255));
        mustBeUnreadable(with(failed(), FAILURE_COUNT_AT, 0));
    }

    @Test
    void foreignTextIsUnreadable() {
        mustBeUnreadable("a session of another application".getBytes(StandardCharsets.UTF_8));
        mustBeUnreadable("x".repeat(200).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void keyOfAnotherTypeIsUnreadable() {
        TestConnections.on(connections, c -> c.keyCommands().del(redisKey));
        TestConnections.on(connections, c -> c.listCommands().rPush(redisKey, new byte[] {1}));

        mustBeUnreadable();

        Long length = TestConnections.on(connections, c -> c.listCommands().lLen(redisKey));
        assertThat(length).isEqualTo(1);
    }

    private byte[] pending() {
        return stored(null);
    }

    private byte[] succeeded() {
        return stored(SUCCESS);
    }

    private byte[] failed() {
        return stored(FAILURE);
    }

    private byte[] stored(Completion end) {
        TestConnections.on(connections, c -> c.keyCommands().del(redisKey));
        store.claim(claim(key, owner));
        if (end != null) {
            store.complete(key, owner, end);
        }
        return TestConnections.on(connections, c -> c.stringCommands().get(redisKey));
    }

    private static byte[] with(byte[] record, int index, int value) {
        record[index] = (byte) value;
        return record;
    }

    private void mustBeUnreadable(byte[] value) {
        TestConnections.on(connections, c -> c.stringCommands().set(redisKey, value));

        mustBeUnreadable();

        byte[] afterwards =
                TestConnections.on(connections, c -> c.stringCommands().get(redisKey));
        assertThat(afterwards).isEqualTo(value);
    }

    private void mustBeUnreadable() {
        assertThat(store.claim(claim(key, owner))).isEqualTo(new ClaimResult.Unreadable());
        assertThat(store.claim(claim(key, OwnerToken.random()))).isEqualTo(new ClaimResult.Unreadable());
        assertThat(store.find(key)).isEqualTo(new Lookup.Unreadable());
        assertThat(TestClaims.renewed(store, key, owner, HOUR, HOUR)).isFalse();
        for (Completion end : List.of(SUCCESS, FAILURE, RELEASE)) {
            assertThat(store.complete(key, owner, end)).isEqualTo(new CompletionResult.Stale());
        }
    }
}
