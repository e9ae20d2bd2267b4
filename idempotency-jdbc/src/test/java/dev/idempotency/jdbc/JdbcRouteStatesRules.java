// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.tck.RouteStatesTck;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** States of routes in one database. */
abstract class JdbcRouteStatesRules extends RouteStatesTck {

    private final Map<IdempotencyStore, HikariDataSource> pools = new HashMap<>();
    private final TestDatabase database;

    JdbcRouteStatesRules(Database database) {
        this.database = TestDatabase.shared(database);
    }

    @Override
    protected IdempotencyStore openStore() {
        HikariDataSource pool = database.pool(2);
        IdempotencyStore store = new JdbcIdempotencyStore(pool, "tck-routes");
        pools.put(store, pool);
        return store;
    }

    @Override
    protected void closeStore(IdempotencyStore store) {
        pools.remove(store).close();
    }

    @Override
    protected void elapse(Duration duration) throws InterruptedException {
        waitFor(duration);
    }
}
