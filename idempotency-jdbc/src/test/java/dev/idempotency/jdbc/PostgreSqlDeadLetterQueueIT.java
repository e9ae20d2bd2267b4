// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class PostgreSqlDeadLetterQueueIT extends JdbcLetterTck {

    PostgreSqlDeadLetterQueueIT() {
        super(Database.POSTGRESQL);
    }
}
