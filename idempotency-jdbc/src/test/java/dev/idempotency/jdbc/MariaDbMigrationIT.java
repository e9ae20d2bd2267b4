// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class MariaDbMigrationIT extends MigrationRules {

    private static final TestDatabase SERVER = TestDatabase.shared(Database.MARIADB);

    MariaDbMigrationIT() {
        super(SERVER.url().replaceFirst("(//[^/]+)/\\w+", "$1/migrated"));
    }

    @Override
    void makeSchema() {
        SERVER.execute("CREATE DATABASE migrated");
    }

    @Override
    void dropSchema() {
        SERVER.execute("DROP DATABASE migrated");
    }
}
