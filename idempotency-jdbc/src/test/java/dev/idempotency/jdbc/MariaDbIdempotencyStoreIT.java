// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class MariaDbIdempotencyStoreIT extends JdbcStoreTck {

    MariaDbIdempotencyStoreIT() {
        super(Database.MARIADB);
    }
}
