// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.tck.DeadLetterQueueTck;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;

class RedisDeadLetterQueueIT extends DeadLetterQueueTck {

    private final Map<DeadLetterQueue, RedisConnectionFactory> connections = new HashMap<>();

    RedisConnectionFactory connect() {
        return TestConnections.lettuce(TestRedis.shared());
    }

    @Override
    protected DeadLetterQueue openQueue(String namespace, DeadLetterLimits limits) {
        RedisConnectionFactory factory = connect();
        DeadLetterQueue queue =
                new RedisDeadLetterQueue(factory, "idempotency", namespace, Duration.ofSeconds(10), limits);
        connections.put(queue, factory);
        return queue;
    }

    @Override
    protected void closeQueue(DeadLetterQueue queue) throws Exception {
        ((DisposableBean) connections.remove(queue)).destroy();
    }

    @Override
    protected void elapse(Duration duration) throws InterruptedException {
        waitFor(duration);
    }
}
