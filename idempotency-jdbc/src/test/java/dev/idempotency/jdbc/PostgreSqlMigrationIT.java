// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static dev.idempotency.jdbc.TestClaims.HOUR;
import static dev.idempotency.jdbc.TestClaims.SUCCESS;
import static dev.idempotency.jdbc.TestClaims.claim;
import static dev.idempotency.jdbc.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.OwnerToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tables that are made by others, as docs/jdbc.md shows it. */
class PostgreSqlMigrationIT {

    private final HikariDataSource pool =
            TestDatabase.shared(Database.POSTGRESQL).pool(2);
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);

    @AfterEach
    void close() {
        jdbc.execute("DROP SCHEMA IF EXISTS migrated CASCADE");
        pool.close();
    }

    @Test
    void flywayRunsTheScript() {
        Flyway.configure()
                .dataSource(pool)
                .schemas("migrated")
                .locations("classpath:dev/idempotency/jdbc/postgresql")
                .table("idempotency_schema_history")
                .load()
                .migrate();

        assertThat(new JdbcSchema(pool, "migrated.idempotency_").exists()).isTrue();
        JdbcIdempotencyStore store =
                new JdbcIdempotencyStore(pool, "migrated.idempotency_", "shop", Duration.ofSeconds(2));
        assertThat(store.claim(claim(newKey(), OwnerToken.random()))).isInstanceOf(ClaimResult.Claimed.class);
    }

    @Test
    void partitionedTableIsAsGood() {
        jdbc.execute("CREATE SCHEMA migrated");
        new JdbcSchema(pool, "migrated.plain_").create();
        jdbc.execute("CREATE TABLE migrated.idempotency_record (LIKE migrated.plain_record INCLUDING ALL)"
                + " PARTITION BY HASH (record_key)");
        for (int i = 0; i < 4; i++) {
            jdbc.execute("CREATE TABLE migrated.idempotency_record_" + i + " PARTITION OF migrated.idempotency_record"
                    + " FOR VALUES WITH (MODULUS 4, REMAINDER " + i + ")");
        }
        JdbcIdempotencyStore store =
                new JdbcIdempotencyStore(pool, "migrated.idempotency_", "shop", Duration.ofSeconds(5));
        List<RecordKey> keys = new ArrayList<>();
        OwnerToken owner = OwnerToken.random();
        for (int i = 0; i < 40; i++) {
            RecordKey key = newKey();
            keys.add(key);
            assertThat(store.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.InProgress.class);
            assertThat(TestClaims.renewed(store, key, owner, HOUR, HOUR)).isTrue();
            TransactionRules.mustApply(store.complete(key, owner, SUCCESS));
            assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.Completed.class);
        }

        jdbc.update("UPDATE migrated.idempotency_record SET expires_at = 1, updated_at = 1");
        JdbcCleanup cleanup = new JdbcCleanup(
                pool, "migrated.idempotency_", Duration.ofSeconds(5), Duration.ofMinutes(1), 7, List.of());
        assertThat(cleanup.run()).isEqualTo(keys.size());
        jdbc.execute("VACUUM FULL migrated.idempotency_record_0");
        assertThat(jdbc.queryForObject("SELECT pg_relation_size('migrated.idempotency_record_0')", Long.class))
                .isZero();
    }
}
