// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.tck.DeadLetterQueueTck;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The queue of dead letters on one database. */
abstract class JdbcLetterTck extends DeadLetterQueueTck {

    private final Map<DeadLetterQueue, HikariDataSource> pools = new HashMap<>();
    private final TestDatabase database;

    JdbcLetterTck(Database database) {
        this.database = TestDatabase.shared(database);
    }

    @Override
    protected DeadLetterQueue openQueue(String namespace, DeadLetterLimits limits) {
        HikariDataSource pool = database.pool(3);
        DeadLetterQueue queue =
                new JdbcDeadLetterQueue(pool, "idempotency_", namespace, limits, Duration.ofSeconds(30));
        pools.put(queue, pool);
        return queue;
    }

    @Override
    protected void closeQueue(DeadLetterQueue queue) {
        pools.remove(queue).close();
    }

    @Override
    protected void elapse(Duration duration) throws InterruptedException {
        waitFor(duration);
    }

    /** A statement or two each on a real server. */
    @Override
    protected int rounds() {
        return 500;
    }
}
