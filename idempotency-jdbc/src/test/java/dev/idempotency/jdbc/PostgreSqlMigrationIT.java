// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class PostgreSqlMigrationIT extends MigrationRules {

    private static final TestDatabase SERVER = TestDatabase.shared(Database.POSTGRESQL);

    PostgreSqlMigrationIT() {
        super(SERVER.url() + "&currentSchema=migrated");
    }

    @Override
    void makeSchema() {
        SERVER.execute("CREATE SCHEMA migrated");
    }

    @Override
    void dropSchema() {
        SERVER.execute("DROP SCHEMA migrated CASCADE");
    }
}
