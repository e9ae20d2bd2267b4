// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static dev.idempotency.jdbc.TestClaims.claim;
import static dev.idempotency.jdbc.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.store.OwnerToken;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** The same on MariaDB: what its scheduler runs, in the words of docs/jdbc.md. */
class MariaDbBoundIT {

    @Test
    void eventDeletesExpiredRecordsWithEveryCleanerDead() {
        try (HikariDataSource pool = TestDatabase.shared(Database.MARIADB).pool(2)) {
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            JdbcSchema schema = new JdbcSchema(pool, "bounded_");
            schema.create();
            try {
                JdbcIdempotencyStore store = new JdbcIdempotencyStore(pool, "bounded_", "shop", Duration.ofSeconds(30));
                for (int i = 0; i < 10; i++) {
                    store.claim(claim(newKey(), OwnerToken.random()));
                }
                jdbc.update("UPDATE bounded_record SET expires_at = 1, updated_at = 1 LIMIT 7");

                String event =
                        DocumentedBlock.of("sql", "CREATE EVENT").replace("idempotency_record", "bounded_record");
                jdbc.execute(event.substring(event.indexOf("DELETE")));

                assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM bounded_record", Integer.class))
                        .isEqualTo(3);
            } finally {
                schema.drop();
            }
        }
    }
}
