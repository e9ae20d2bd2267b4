// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class MariaDbServerIT extends ServerRules {

    MariaDbServerIT() {
        super(Database.MARIADB);
    }

    @Override
    String urlWithOffset(String offset) {
        return database.url() + "&sessionVariables=time_zone='" + offset + "'";
    }
}
