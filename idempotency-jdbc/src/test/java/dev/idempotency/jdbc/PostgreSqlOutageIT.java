// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class PostgreSqlOutageIT extends OutageRules {

    PostgreSqlOutageIT() {
        super(Database.POSTGRESQL);
    }
}
