// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import dev.idempotency.redis.TestRedis;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The same with records in Redis. */
@ActiveProfiles("redis")
class ConformanceIT extends ConformanceTest {

    @DynamicPropertySource
    static void redis(DynamicPropertyRegistry registry) {
        TestRedis redis = TestRedis.shared();
        registry.add("spring.data.redis.url", () -> "redis://" + redis.host() + ":" + redis.port());
    }
}
