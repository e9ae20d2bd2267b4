// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class MariaDbOutageIT extends OutageRules {

    MariaDbOutageIT() {
        super(Database.MARIADB);
    }
}
