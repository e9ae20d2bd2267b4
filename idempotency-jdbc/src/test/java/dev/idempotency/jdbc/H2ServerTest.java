// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class H2ServerTest extends ServerRules {

    H2ServerTest() {
        super(Database.H2);
    }
}
