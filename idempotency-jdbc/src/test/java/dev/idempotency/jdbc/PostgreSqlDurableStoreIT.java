// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class PostgreSqlDurableStoreIT extends JdbcDurableStore {

    PostgreSqlDurableStoreIT() {
        super(Database.POSTGRESQL);
    }
}
