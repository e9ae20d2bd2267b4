// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class PostgreSqlReserveIT extends ReserveRules {

    PostgreSqlReserveIT() {
        super(Database.POSTGRESQL);
    }
}
