// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class MariaDbCleanupIT extends ServerCleanupRules {

    MariaDbCleanupIT() {
        super(Database.MARIADB);
    }
}
