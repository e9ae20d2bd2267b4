// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.tck.IdempotencyStoreTck;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class RedisIdempotencyStoreIT extends IdempotencyStoreTck {

    private final Map<IdempotencyStore, LettuceConnectionFactory> connections = new HashMap<>();

    @Override
    protected IdempotencyStore openStore() {
        LettuceConnectionFactory factory = TestConnections.lettuce(TestRedis.shared());
        IdempotencyStore store = new RedisIdempotencyStore(factory, "tck");
        connections.put(store, factory);
        return store;
    }

    @Override
    protected void closeStore(IdempotencyStore store) {
        connections.remove(store).destroy();
    }

    @Override
    protected void elapse(Duration duration) throws InterruptedException {
        waitFor(duration);
    }
}
