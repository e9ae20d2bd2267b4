// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class H2MigrationTest extends MigrationRules {

    H2MigrationTest() {
        super(new H2Server().url());
    }
}
