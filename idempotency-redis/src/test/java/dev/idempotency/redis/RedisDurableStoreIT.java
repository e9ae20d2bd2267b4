// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.tck.DurableStoreTck;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class RedisDurableStoreIT extends DurableStoreTck {

    private final TestRedis redis = TestRedis.shared();
    private LettuceConnectionFactory connections;

    @Override
    protected IdempotencyStore openStore() {
        connections = TestConnections.lettuce(redis);
        return new RedisIdempotencyStore(connections, "tck");
    }

    @Override
    protected void closeStore(IdempotencyStore store) {
        connections.destroy();
    }
}
