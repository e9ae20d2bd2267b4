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
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** What docs/jdbc.md says of tables that no instance cleans, in the page's own words. */
class PostgreSqlBoundIT {

    private static final int ROUNDS = 15;
    private static final int BATCH = 200;

    private static final TestDatabase SERVER = TestDatabase.shared(Database.POSTGRESQL);

    private final HikariDataSource pool = TestDatabase.pool(SERVER.url() + "&currentSchema=bounded", 2);
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);
    private final JdbcIdempotencyStore store =
            new JdbcIdempotencyStore(pool, JdbcIdempotencyStore.DEFAULT_TABLE_PREFIX, "shop", Duration.ofSeconds(30));

    @BeforeEach
    void open() {
        SERVER.execute("CREATE SCHEMA bounded");
        new JdbcSchema(pool, JdbcIdempotencyStore.DEFAULT_TABLE_PREFIX).create();
    }

    @AfterEach
    void close() {
        pool.close();
        SERVER.execute("DROP SCHEMA bounded CASCADE");
    }

    /** More of them than the rows may ever be, so the trigger must have deleted those of earlier rounds. */
    @Test
    void triggerBoundsTheRecordsWithEveryCleanerDead() {
        jdbc.execute(DocumentedBlock.of("sql", "CREATE TRIGGER"));
        RecordKey live = claimed();
        for (int round = 0; round < ROUNDS; round++) {
            RecordKey released = claimed();
            jdbc.update(
                    "UPDATE idempotency_record SET expires_at = 0 WHERE record_key = ?", (Object) released.toBytes());
            for (int i = 0; i < BATCH; i++) {
                claimed();
            }
            assertThat(exists(released)).as("released less than a minute ago").isTrue();
            jdbc.update("UPDATE idempotency_record SET expires_at = 1, updated_at = 1 WHERE record_key <> ?", (Object)
                    live.toBytes());
        }

        assertThat(rows()).isLessThan(ROUNDS * BATCH / 3);
        assertThat(exists(live)).isTrue();
    }

    @Test
    void hashPartitionsAreAsGoodAndGiveTheirSpaceBack() {
        for (String sql : DocumentedBlock.of("sql", "PARTITION BY HASH").split(";", -1)) {
            if (sql.contains("CREATE")) {
                jdbc.execute(sql);
            }
        }
        for (int i = 1; i < 16; i++) {
            jdbc.execute("CREATE TABLE idempotency_record_" + i + " PARTITION OF idempotency_record_new"
                    + " FOR VALUES WITH (MODULUS 16, REMAINDER " + i + ")");
        }
        jdbc.execute("ALTER TABLE idempotency_record RENAME TO idempotency_record_old");
        jdbc.execute("ALTER TABLE idempotency_record_new RENAME TO idempotency_record");
        jdbc.execute(DocumentedBlock.of("sql", "CREATE TRIGGER"));
        for (int i = 0; i < BATCH; i++) {
            RecordKey key = newKey();
            OwnerToken owner = OwnerToken.random();
            assertThat(store.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.InProgress.class);
            assertThat(TestClaims.renewed(store, key, owner, HOUR, HOUR)).isTrue();
            TransactionRules.mustApply(store.complete(key, owner, SUCCESS));
            assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.Completed.class);
        }

        jdbc.update("UPDATE idempotency_record SET expires_at = 1, updated_at = 1");
        JdbcCleanup cleanup = new JdbcCleanup(
                pool,
                JdbcIdempotencyStore.DEFAULT_TABLE_PREFIX,
                Duration.ofSeconds(30),
                Duration.ofMinutes(1),
                7,
                List.of());
        assertThat(cleanup.run()).isEqualTo(BATCH);
        jdbc.execute("VACUUM FULL idempotency_record_0");
        assertThat(jdbc.queryForObject("SELECT pg_relation_size('idempotency_record_0')", Long.class))
                .isZero();
    }

    private RecordKey claimed() {
        RecordKey key = newKey();
        assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.Claimed.class);
        return key;
    }

    private boolean exists(RecordKey key) {
        return jdbc.queryForObject(
                        "SELECT COUNT(*) FROM idempotency_record WHERE record_key = ?", Integer.class, (Object)
                                key.toBytes())
                == 1;
    }

    private int rows() {
        return jdbc.queryForObject("SELECT COUNT(*) FROM idempotency_record", Integer.class);
    }
}
