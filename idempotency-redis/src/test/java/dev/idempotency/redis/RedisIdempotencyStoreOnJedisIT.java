// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.tck.IdempotencyStoreTck;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

class RedisIdempotencyStoreOnJedisIT extends IdempotencyStoreTck {

    private final Map<IdempotencyStore, JedisConnectionFactory> connections = new HashMap<>();

    @Override
    protected IdempotencyStore openStore() {
        JedisConnectionFactory factory = TestConnections.jedis(TestRedis.shared());
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

    /** The races are in the server, where it is the same scripts that run for either driver. */
    @Override
    protected int rounds() {
        return 100;
    }
}
