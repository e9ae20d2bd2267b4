// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class H2DeadLetterQueueTest extends JdbcLetterTck {

    H2DeadLetterQueueTest() {
        super(Database.H2);
    }
}
