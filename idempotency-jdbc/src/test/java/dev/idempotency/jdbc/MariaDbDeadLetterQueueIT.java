// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class MariaDbDeadLetterQueueIT extends JdbcLetterTck {

    MariaDbDeadLetterQueueIT() {
        super(Database.MARIADB);
    }
}
