// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class MariaDbRouteStatesIT extends JdbcRouteStatesRules {

    MariaDbRouteStatesIT() {
        super(Database.MARIADB);
    }
}
