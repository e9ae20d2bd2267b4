// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Payload;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class JdbcDeadLetterQueueTest {

    private static ParkedRequest letter(long version) {
        return new ParkedRequest(
                DeadLetterReason.BREAKER_OPENED, RecordKey.builder("order").build(), version, Payload.of(new byte[] {1
                }));
    }

    @Test
    void aQueueWhoseTablesWereEmptiedGoesOn() {
        try (HikariDataSource pool = TestDatabase.shared(Database.H2).pool(2)) {
            JdbcDeadLetterQueue queue = new JdbcDeadLetterQueue(
                    pool, "idempotency_", "emptied", DeadLetterLimits.DEFAULTS, Duration.ofSeconds(30));
            queue.park(letter(1));
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.update("DELETE FROM idempotency_dead_letter WHERE namespace = 'emptied'");
            jdbc.update("DELETE FROM idempotency_dead_letter_queue WHERE namespace = 'emptied'");
            assertThat(queue.park(letter(2)).isNew()).isTrue();
            assertThat(queue.find(letter(2).id())).isNotNull();
        }
    }
}
