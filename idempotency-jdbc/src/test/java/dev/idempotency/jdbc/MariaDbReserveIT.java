// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class MariaDbReserveIT extends ReserveRules {

    MariaDbReserveIT() {
        super(Database.MARIADB);
    }
}
