// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class PostgreSqlIdempotencyStoreIT extends JdbcStoreTck {

    PostgreSqlIdempotencyStoreIT() {
        super(Database.POSTGRESQL);
    }
}
