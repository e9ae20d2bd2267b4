// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import org.springframework.data.redis.connection.RedisConnectionFactory;

class RedisIdempotencyStoreOnJedisIT extends RedisIdempotencyStoreIT {

    @Override
    RedisConnectionFactory connect() {
        return TestConnections.jedis(TestRedis.shared());
    }

    /** The races are in the server, where it is the same scripts that run for either driver. */
    @Override
    protected int rounds() {
        return 100;
    }
}
