// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class PostgreSqlRouteStatesIT extends JdbcRouteStatesRules {

    PostgreSqlRouteStatesIT() {
        super(Database.POSTGRESQL);
    }
}
