// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class H2IdempotencyStoreTest extends JdbcStoreTck {

    H2IdempotencyStoreTest() {
        super(Database.H2);
    }
}
