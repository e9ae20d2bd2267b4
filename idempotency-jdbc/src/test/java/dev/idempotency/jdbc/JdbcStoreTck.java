// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.tck.IdempotencyStoreTck;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The store on one database. */
abstract class JdbcStoreTck extends IdempotencyStoreTck {

    private final Map<IdempotencyStore, HikariDataSource> pools = new HashMap<>();
    private final TestDatabase database;

    JdbcStoreTck(Database database) {
        this.database = TestDatabase.shared(database);
    }

    @Override
    protected IdempotencyStore openStore() {
        HikariDataSource pool = pool();
        IdempotencyStore store = new JdbcIdempotencyStore(
                pool, JdbcIdempotencyStore.DEFAULT_TABLE_PREFIX, "tck", Duration.ofSeconds(30));
        pools.put(store, pool);
        return store;
    }

    HikariDataSource pool() {
        return database.pool(4);
    }

    final String url() {
        return database.url();
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
