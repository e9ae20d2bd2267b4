// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class H2ReserveTest extends ReserveRules {

    H2ReserveTest() {
        super(Database.H2);
    }
}
