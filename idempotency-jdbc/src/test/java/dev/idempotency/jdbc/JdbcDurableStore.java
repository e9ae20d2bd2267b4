// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.tck.DurableStoreTck;

/** Records of one database over the application's restarts. */
abstract class JdbcDurableStore extends DurableStoreTck {

    private final TestDatabase database;
    private HikariDataSource pool;

    JdbcDurableStore(Database database) {
        this.database = TestDatabase.shared(database);
    }

    @Override
    protected IdempotencyStore openStore() {
        pool = database.pool(2);
        return new JdbcIdempotencyStore(pool, "tck");
    }

    @Override
    protected void closeStore(IdempotencyStore store) {
        pool.close();
    }
}
