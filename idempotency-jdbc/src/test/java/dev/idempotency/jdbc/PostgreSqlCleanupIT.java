// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class PostgreSqlCleanupIT extends ServerCleanupRules {

    PostgreSqlCleanupIT() {
        super(Database.POSTGRESQL);
    }
}
