// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.tck.RouteStatesTck;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;

class RedisRouteStatesIT extends RouteStatesTck {

    private final Map<IdempotencyStore, RedisConnectionFactory> connections = new HashMap<>();

    RedisConnectionFactory connect() {
        return TestConnections.lettuce(TestRedis.shared());
    }

    @Override
    protected IdempotencyStore openStore() {
        RedisConnectionFactory factory = connect();
        IdempotencyStore store = new RedisIdempotencyStore(
                factory,
                RedisIdempotencyStore.DEFAULT_KEY_PREFIX,
                "tck-routes",
                RedisIdempotencyStoreIT.COMMAND_TIMEOUT);
        connections.put(store, factory);
        return store;
    }

    @Override
    protected void closeStore(IdempotencyStore store) throws Exception {
        ((DisposableBean) connections.remove(store)).destroy();
    }

    @Override
    protected void elapse(Duration duration) throws InterruptedException {
        waitFor(duration);
    }
}
