// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.key.RecordKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same where rows that somebody is at can be skipped. */
abstract class ServerCleanupRules extends CleanupRules {

    ServerCleanupRules(Database database) {
        super(database);
    }

    @Test
    void rowThatSomebodyIsAtIsSkipped() {
        List<RecordKey> keys = claimed(5);
        age();

        long deleted = TransactionRules.transactions(pool).execute(transaction -> {
            jdbc.queryForList("SELECT version FROM cleanup_record WHERE record_key = ? FOR UPDATE", (Object)
                    keys.get(0).toBytes());
            return TransactionRules.elsewhere(() -> cleanup(10).run());
        });

        assertThat(deleted).isEqualTo(4);
        assertThat(cleanup(10).run()).isEqualTo(1);
    }
}
