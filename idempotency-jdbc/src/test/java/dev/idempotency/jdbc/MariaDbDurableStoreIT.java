// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class MariaDbDurableStoreIT extends JdbcDurableStore {

    MariaDbDurableStoreIT() {
        super(Database.MARIADB);
    }
}
