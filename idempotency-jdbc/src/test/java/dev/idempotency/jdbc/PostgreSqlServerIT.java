// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class PostgreSqlServerIT extends ServerRules {

    PostgreSqlServerIT() {
        super(Database.POSTGRESQL);
    }
}
