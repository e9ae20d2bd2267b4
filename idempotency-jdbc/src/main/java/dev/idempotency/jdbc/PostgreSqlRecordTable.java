// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.Completion;
import dev.idempotency.store.OwnerToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;

/** The table in PostgreSQL, where a change can tell what it wrote. */
final class PostgreSqlRecordTable extends RecordTable {

    private static final String BEGUN = "begun_version";

    private final String begin;
    private final String succeed;

    PostgreSqlRecordTable(Dialect dialect, String table, String namespace, Duration queryTimeout) {
        super(dialect, table, namespace, queryTimeout);
        String now = dialect.statementTime();
        // One snapshot for what is seen; an insert is not even tried against a record that stands, so a replay writes
        // nothing.
        this.begin = "WITH seen AS (SELECT r.format, r." + COLUMNS.replace(", ", ", r.") + " FROM " + table
                + " r WHERE " + KEY + "), begun AS (INSERT INTO " + table
                + " AS r (record_key, biz_type, namespace, format, " + COLUMNS + ") SELECT ?, ?, ?, "
                + RecordRow.FORMAT + ", " + RecordRow.PENDING + ", " + now + ", ?, " + now
                + " + ?, ?, ?, 1, ''::bytea, NULL, NULL, ?, " + now + ", " + now + ", " + now
                + " + ? WHERE NOT EXISTS (SELECT 1 FROM seen s WHERE s.expires_at > " + now + " OR s.format <> "
                + RecordRow.FORMAT + ") ON CONFLICT (record_key, biz_type, namespace) DO UPDATE SET "
                + "status = excluded.status, version = GREATEST(excluded.version, r.version + 1),"
                + " owner = excluded.owner, lease_end = excluded.lease_end, algorithm = excluded.algorithm,"
                + " fingerprint = excluded.fingerprint, attempts = excluded.attempts, failures = excluded.failures,"
                + " cooled_until = excluded.cooled_until, cooldown = excluded.cooldown, payload = excluded.payload,"
                + " created_at = excluded.created_at, updated_at = excluded.updated_at,"
                + " expires_at = excluded.expires_at WHERE r.expires_at <= excluded.created_at AND r.format = "
                + RecordRow.FORMAT + " RETURNING r.version) SELECT " + now + " AS " + RecordRow.TIME
                + ", b.version AS " + BEGUN + ", s.* FROM (SELECT 1) one LEFT JOIN begun b ON true"
                + " LEFT JOIN seen s ON true";
        this.succeed = "UPDATE " + table + " r SET status = " + RecordRow.SUCCESS + ", version = GREATEST(" + now
                + ", r.version + 1), failures = ''::bytea, cooled_until = NULL, cooldown = NULL, payload = ?, updated_at = "
                + now
                + ", expires_at = " + now + " + ? WHERE " + KEY + " AND r.format = " + RecordRow.FORMAT
                + " AND r.owner = ? AND r.status = " + RecordRow.PENDING + " AND r.lease_end > "
                + dialect.wallClock() + " AND r.expires_at > " + dialect.wallClock() + " RETURNING r.version";
    }

    /**
     * {@inheritDoc} What was seen is of the statement's beginning, when it was true. If it says that nothing stands in the way and
     * yet nothing has begun, another claim came in between, and one has to ask again.
     */
    @Override
    Opening begin(Connection connection, Claim claim) throws SQLException {
        try (PreparedStatement statement = prepare(connection, begin)) {
            parameters(statement)
                    .key(claim.key(), namespace())
                    .key(claim.key(), namespace())
                    .owner(claim.owner())
                    .number(Micros.of(claim.lease()))
                    .integer(claim.fingerprint().algorithm())
                    .bytes(claim.fingerprint().toBytes())
                    .payload(claim.payload())
                    .number(Micros.of(claim.ttl()));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                long version = row.getLong(BEGUN);
                return row.wasNull() ? new Opening.Seen(RecordRow.read(row, claim.key())) : new Opening.Begun(version);
            }
        }
    }

    @Override
    OptionalLong succeed(Connection connection, RecordKey key, OwnerToken owner, Completion.Success success)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, succeed)) {
            parameters(statement)
                    .payload(success.payload())
                    .number(Micros.of(success.ttl()))
                    .key(key, namespace())
                    .owner(owner);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
            }
        }
    }
}
