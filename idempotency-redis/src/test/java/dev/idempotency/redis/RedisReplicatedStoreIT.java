// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.tck.IdempotencyStoreTck;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Every claim and every end waits for a replica. */
class RedisReplicatedStoreIT extends IdempotencyStoreTck {

    private static LocalRedis primary;
    private static LocalRedis replica;
    private static LettuceConnectionFactory connections;

    @BeforeAll
    static void start() {
        primary = LocalRedis.start();
        replica = LocalRedis.replicaOf(primary);
        connections = TestConnections.lettuce(LocalRedis.HOST, primary.port());
    }

    @AfterAll
    static void stop() {
        connections.destroy();
        replica.close();
        primary.close();
    }

    @Override
    protected IdempotencyStore openStore() {
        return new RedisIdempotencyStore(
                connections, "idempotency", "tck", Duration.ofSeconds(20), new ReplicaWait(1, Duration.ofSeconds(20)));
    }

    @Override
    protected void closeStore(IdempotencyStore store) {
        ((RedisIdempotencyStore) store).close();
    }

    /** The races are the scripts'; here it is enough that waiting adds none. */
    @Override
    protected int rounds() {
        return 200;
    }

    @Override
    protected void elapse(Duration duration) throws InterruptedException {
        waitFor(duration);
    }
}
