// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class H2DurableStoreTest extends JdbcDurableStore {

    H2DurableStoreTest() {
        super(Database.H2);
    }
}
