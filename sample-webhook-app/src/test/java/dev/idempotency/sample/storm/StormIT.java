// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.storm;

import dev.idempotency.redis.TestRedis;
import org.junit.jupiter.api.Test;

class StormIT {

    @Test
    void twoInstancesOnOneRedisKeepTheIncidentsFromHappening() {
        TestRedis redis = TestRedis.shared();

        StormTest.assertHarmlessUnderProtection(Storm.play(
                "--spring.profiles.active=redis",
                "--spring.data.redis.url=redis://" + redis.host() + ":" + redis.port()));
    }
}
