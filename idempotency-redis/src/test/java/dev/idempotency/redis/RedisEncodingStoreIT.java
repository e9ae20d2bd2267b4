// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.encoding.EncodingStore;
import dev.idempotency.encoding.PayloadCompression;
import dev.idempotency.encryption.EncryptionKey;
import dev.idempotency.encryption.PayloadEncryption;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.tck.IdempotencyStoreTck;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Compressed and encrypted records; two nodes on one connection factory. */
class RedisEncodingStoreIT extends IdempotencyStoreTck {

    private static LettuceConnectionFactory connections;

    @BeforeAll
    static void connect() {
        connections = TestConnections.lettuce(TestRedis.shared());
    }

    @AfterAll
    static void disconnect() {
        connections.destroy();
    }

    @Override
    protected IdempotencyStore openStore() {
        EncryptionKey key = new EncryptionKey("2026-11", new byte[EncryptionKey.SECRET_BYTES]);
        return new EncodingStore(
                new RedisIdempotencyStore(connections, "encoded"),
                new PayloadCompression(1, 1 << 20),
                new PayloadEncryption(List.of(key)),
                false);
    }

    /** The races are the store's; here it is enough that the layer in front has none of its own. */
    @Override
    protected int rounds() {
        return 300;
    }

    @Override
    protected void elapse(Duration duration) throws InterruptedException {
        waitFor(duration);
    }
}
