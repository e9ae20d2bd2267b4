// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class H2CleanupTest extends CleanupRules {

    H2CleanupTest() {
        super(Database.H2);
    }
}
