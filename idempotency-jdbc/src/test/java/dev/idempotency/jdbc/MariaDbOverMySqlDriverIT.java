// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import com.zaxxer.hikari.HikariDataSource;

/** The same server through MySQL's driver, which counts rows and times in its own way. */
class MariaDbOverMySqlDriverIT extends JdbcStoreTck {

    MariaDbOverMySqlDriverIT() {
        super(Database.MARIADB);
    }

    @Override
    HikariDataSource pool() {
        return TestDatabase.pool(url().replace("jdbc:mariadb:", "jdbc:mysql:") + "&useAffectedRows=true", 4);
    }

    /** Fewer, as the statements are the same. */
    @Override
    protected int rounds() {
        return 200;
    }
}
