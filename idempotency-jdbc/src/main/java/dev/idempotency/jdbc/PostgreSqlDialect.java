// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.time.Duration;

/** PostgreSQL: begins, succeeds and renews in one statement each. */
final class PostgreSqlDialect implements Dialect {

    @Override
    public String statementTime() {
        return micros("statement_timestamp()");
    }

    @Override
    public String wallClock() {
        return micros("clock_timestamp()");
    }

    @Override
    public RecordTable recordTable(String table, String namespace, Duration queryTimeout) {
        return new PostgreSqlRecordTable(this, table, namespace, queryTimeout);
    }

    private static String micros(String timestamp) {
        return "(EXTRACT(EPOCH FROM " + timestamp + ") * 1000000)::bigint";
    }

    @Override
    public ClaimRenewals claimRenewals(String table, String namespace, Duration queryTimeout) {
        return new PostgreSqlRenewals(this, table, namespace, queryTimeout);
    }

    @Override
    public ExpiredRecords expiredRecords(String table, int batchSize, Duration queryTimeout) {
        String expired = ExpiredRecords.condition(this);
        return ExpiredRecords.inOneStatement(
                "WITH e AS (SELECT record_key, biz_type, namespace FROM " + table + " WHERE " + expired
                        + " ORDER BY expires_at LIMIT " + batchSize + " FOR UPDATE SKIP LOCKED) DELETE FROM " + table
                        + " r USING e WHERE r.record_key = e.record_key AND r.biz_type = e.biz_type"
                        + " AND r.namespace = e.namespace AND " + expired,
                queryTimeout);
    }
}
