// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.redis.TestRedis;
import java.util.List;

/** Where the application under test keeps records: the build runs every contract test once for each. */
final class Stores {

    private static final String STORE = System.getProperty("contract.store", "memory");

    private Stores() {}

    static boolean isShared() {
        return !STORE.equals("memory");
    }

    static List<String> properties() {
        if (!isShared()) {
            return List.of("idempotency.store=memory");
        }
        return List.of(
                "idempotency.store=redis",
                "idempotency.redis.command-timeout=10s", // a busy machine is no outage
                "spring.data.redis.host=" + Redis.SERVER.host(),
                "spring.data.redis.port=" + Redis.SERVER.port());
    }

    /** Started with the first test that needs it, stopped with the JVM. */
    private static final class Redis {

        private static final TestRedis SERVER = TestRedis.shared();
    }
}
