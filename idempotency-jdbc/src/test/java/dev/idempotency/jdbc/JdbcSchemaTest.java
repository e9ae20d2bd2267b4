// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

class JdbcSchemaTest {

    @Test
    void tablesAreMadeOnceAndDroppedWhole() {
        try (HikariDataSource pool = TestDatabase.pool(new H2Server().url(), 2)) {
            JdbcSchema schema = new JdbcSchema(pool, "own_");
            assertThat(schema.exists()).isFalse();
            assertThat(schema.isInMemory()).isTrue();
            assertThat(schema.database()).isEqualTo(Database.H2);

            schema.create();
            schema.create();
            assertThat(schema.exists()).isTrue();
            assertThat(new JdbcSchema(pool, "idempotency_").exists()).isFalse();

            schema.drop();
            schema.drop();
            assertThat(schema.exists()).isFalse();
        }
    }

    @Test
    void tableThatLacksAColumnDoesNotCount() {
        try (HikariDataSource pool = TestDatabase.pool(new H2Server().url(), 2)) {
            JdbcSchema schema = new JdbcSchema(pool, "own_");
            schema.create();
            new JdbcTemplate(pool).execute("ALTER TABLE own_record DROP COLUMN payload");

            assertThat(schema.exists()).isFalse();
        }
    }

    @Test
    void severalInstancesMayMakeTheTablesAtOnce() {
        for (int round = 0; round < 20; round++) {
            try (HikariDataSource pool = TestDatabase.pool(new H2Server().url(), 2)) {
                JdbcSchema schema = new JdbcSchema(pool, "own_");
                CompletableFuture<Void> other = CompletableFuture.runAsync(schema::create);
                schema.create();
                other.join();
                assertThat(schema.exists()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyDatabaseHasItsScripts(Database database) throws Exception {
        for (String script : new String[] {JdbcSchema.createScript(database), JdbcSchema.dropScript(database)}) {
            try (var in = getClass().getClassLoader().getResourceAsStream(script)) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .contains("idempotency_record");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "a-b", "a.b.c", ".a", "a;drop", "a b", "a\""})
    void prefixThatNamesNoTableIsRefused(String prefix) {
        assertThatThrownBy(() -> JdbcSchema.requireTablePrefix(prefix)).isInstanceOf(IllegalArgumentException.class);
    }
}
