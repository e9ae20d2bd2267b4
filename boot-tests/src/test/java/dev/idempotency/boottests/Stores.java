// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.jdbc.Database;
import dev.idempotency.jdbc.TestDatabase;
import dev.idempotency.redis.TestRedis;
import java.util.List;
import java.util.Locale;

/**
 * Where the application under test keeps records: the build runs every contract test once for each. The names of databases stand
 * for the JDBC store there.
 */
final class Stores {

    private static final String STORE = System.getProperty("contract.store", "memory");

    private Stores() {}

    static boolean isShared() {
        return !STORE.equals("memory");
    }

    static List<String> properties() {
        return switch (STORE) {
            case "memory" -> List.of("idempotency.store=memory");
            case "redis" ->
                List.of(
                        "idempotency.store=redis",
                        "idempotency.redis.command-timeout=10s", // a busy machine is no outage
                        "spring.data.redis.host=" + Redis.SERVER.host(),
                        "spring.data.redis.port=" + Redis.SERVER.port());
            default ->
                List.of(
                        "idempotency.store=jdbc",
                        "idempotency.jdbc.query-timeout=10s",
                        "spring.datasource.hikari.maximum-pool-size=4", // no test's repeats or waiters may use it up
                        "spring.datasource.url=" + Jdbc.SERVER.urlForOtherProcesses());
        };
    }

    /** For what needs a database: the contract's, or H2 in this process where it keeps records elsewhere. */
    static List<String> databaseProperties() {
        return STORE.equals("memory") || STORE.equals("redis")
                ? List.of("idempotency.store=jdbc", "spring.datasource.url=jdbc:h2:mem:contract;DB_CLOSE_DELAY=-1")
                : properties();
    }

    /** Started with the first test that needs it, stopped with the JVM. */
    private static final class Redis {

        private static final TestRedis SERVER = TestRedis.shared();
    }

    /** As above. */
    private static final class Jdbc {

        private static final TestDatabase SERVER =
                TestDatabase.shared(Database.valueOf(STORE.toUpperCase(Locale.ROOT)));
    }
}
