// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class H2TransactionTest extends TransactionRules {

    H2TransactionTest() {
        super(Database.H2);
    }
}
