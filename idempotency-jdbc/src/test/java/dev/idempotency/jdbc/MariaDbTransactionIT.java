// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import org.springframework.jdbc.core.JdbcTemplate;

class MariaDbTransactionIT extends ServerTransactionRules {

    MariaDbTransactionIT() {
        super(Database.MARIADB);
    }

    @Override
    void cutConnection() {
        Long id = jdbc.queryForObject("SELECT CONNECTION_ID()", Long.class);
        elsewhere(() -> {
            new JdbcTemplate(pool).execute("KILL " + id);
            return true;
        });
    }
}
