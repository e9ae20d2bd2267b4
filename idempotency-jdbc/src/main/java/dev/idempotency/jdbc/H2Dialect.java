// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.time.Duration;

/** H2, from 2.3.230 on, which has time-based UUIDs. */
final class H2Dialect implements Dialect {

    @Override
    public String statementTime() {
        return "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(6)) * 1000000 AS BIGINT)";
    }

    /**
     * {@inheritDoc} H2's clock stands still within a transaction. Its time-based UUIDs tell the real time, in the milliseconds of
     * their first six bytes (RFC 9562, section 5.7).
     */
    @Override
    public String wallClock() {
        return "GREATEST(" + statementTime()
                + ", CAST(X'0000' || SUBSTRING(CAST(RANDOM_UUID(7) AS VARBINARY) FROM 1 FOR 6) AS BIGINT) * 1000)";
    }

    @Override
    public RecordTable recordTable(String table, String namespace, Duration queryTimeout) {
        return new RecordTable(this, table, namespace, queryTimeout);
    }

    @Override
    public ClaimRenewals claimRenewals(String table, String namespace, Duration queryTimeout) {
        return new LockingRenewals(this, table, namespace, queryTimeout);
    }

    @Override
    public ExpiredRecords expiredRecords(String table, int batchSize, Duration queryTimeout) {
        return ExpiredRecords.inOneStatement(
                "DELETE FROM " + table + " WHERE " + ExpiredRecords.condition(this) + " FETCH FIRST " + batchSize
                        + " ROWS ONLY",
                queryTimeout);
    }
}
