// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.time.Duration;

/** MySQL and MariaDB. */
final class MySqlDialect implements Dialect {

    /** Longest lock wait that the wall clock takes note of, so that a change to summer time within a statement cannot count. */
    private static final long MAX_WAIT_MICROS = 60_000_000;

    @Override
    public String statementTime() {
        return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6))";
    }

    /**
     * {@inheritDoc} {@code UTC_TIMESTAMP} is the statement's beginning, {@code SYSDATE} alone the real time but in the session's
     * time zone: the one plus what has passed by the other.
     */
    @Override
    public String wallClock() {
        return "(" + statementTime() + " + LEAST(" + MAX_WAIT_MICROS
                + ", GREATEST(0, TIMESTAMPDIFF(MICROSECOND, NOW(6), SYSDATE(6)))))";
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
        String expired = ExpiredRecords.condition(this);
        return ExpiredRecords.inTwoStatements(
                "SELECT record_key FROM " + table + " WHERE " + expired + " LIMIT " + batchSize
                        + " FOR UPDATE SKIP LOCKED",
                "DELETE FROM " + table + " WHERE " + expired + " AND record_key IN ",
                queryTimeout);
    }
}
