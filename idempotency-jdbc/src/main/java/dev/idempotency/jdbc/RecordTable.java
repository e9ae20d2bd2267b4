// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.Completion;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.OwnerToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Statements at the table of records, each atomic in itself. A change names the row's state that it was decided on and has no
 * effect if that is no longer the state: version, end of lease and expiry together are never the same twice.
 */
class RecordTable {

    /** All that a record has beside its key and format, in the order of {@link RecordRow#write}. */
    static final String COLUMNS = "status, version, owner, lease_end, algorithm, fingerprint, attempts, failures,"
            + " cooled_until, cooldown, payload, created_at, updated_at, expires_at";

    static final String KEY = "r.record_key = ? AND r.biz_type = ? AND r.namespace = ?";

    private final String namespace;
    private final TimedStatements statements;
    private final long longestDelayMicros;
    private final String look;
    private final String lock;
    private final String insert;
    private final String replace;
    private final String replaceOwned;

    RecordTable(Dialect dialect, String table, String namespace, Duration queryTimeout) {
        this.namespace = namespace;
        this.statements = new TimedStatements(queryTimeout);
        this.longestDelayMicros = Micros.of(queryTimeout);
        String wallClock = dialect.wallClock();
        this.look = "SELECT c." + RecordRow.TIME + ", r.format, " + prefixed(COLUMNS) + " FROM (SELECT "
                + dialect.statementTime() + " AS " + RecordRow.TIME + ") c LEFT JOIN " + table + " r ON " + KEY;
        this.lock = "SELECT " + wallClock + " AS " + RecordRow.TIME + ", r.format, " + prefixed(COLUMNS) + " FROM "
                + table + " r WHERE " + KEY + " FOR UPDATE";
        // A decision that is too old makes the version null, which the table refuses.
        this.insert = "INSERT INTO " + table + " (record_key, biz_type, namespace, format, " + COLUMNS
                + ") VALUES (?, ?, ?, " + RecordRow.FORMAT + ", ?, ? + CASE WHEN " + wallClock
                + " <= ? THEN 0 END, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        this.replace = "UPDATE " + table + " r SET " + COLUMNS.replace(",", " = ?,") + " = ? WHERE " + KEY
                + " AND r.version = ? AND r.lease_end = ? AND r.expires_at = ?";
        this.replaceOwned = replace + " AND r.lease_end > " + wallClock;
    }

    /** Begins a record where the database can do so and see what stands in the way in one statement; else only looks. */
    Opening begin(Connection connection, Claim claim) throws SQLException {
        return new Opening.Seen(look(connection, claim.key()));
    }

    /** Writes a success where the database can do so and tell its version in one statement; else empty. */
    OptionalLong succeed(Connection connection, RecordKey key, OwnerToken owner, Completion.Success success)
            throws SQLException {
        return OptionalLong.empty();
    }

    /** What there is, as last committed. */
    final Sight look(Connection connection, RecordKey key) throws SQLException {
        return see(connection, look, key);
    }

    /** What there is once nobody else is changing it; it stays so until the connection's transaction ends. */
    final Sight lock(Connection connection, RecordKey key) throws SQLException {
        return see(connection, lock, key);
    }

    private Sight see(Connection connection, String sql, RecordKey key) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql)) {
            parameters(statement).key(key, namespace);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? RecordRow.read(row, key) : Sight.NOTHING;
            }
        }
    }

    /**
     * Writes the first record of a key.
     *
     * @param decidedAt the database's time at which there was none
     * @return whether it is there; not if another one is, or if too much time has passed since
     */
    final boolean insert(Connection connection, IdempotencyRecord begun, Instant decidedAt) throws SQLException {
        try (PreparedStatement statement = prepare(connection, insert)) {
            parameters(statement)
                    .key(begun.key(), namespace)
                    .integer(RecordRow.PENDING)
                    .number(begun.version())
                    .number(Micros.of(decidedAt) + longestDelayMicros)
                    .owner(begun.owner())
                    .instant(begun.leaseEnd())
                    .integer(begun.fingerprint().algorithm())
                    .bytes(begun.fingerprint().toBytes())
                    .integer(begun.attempts())
                    .bytes(new byte[0])
                    .instantOrNull(null)
                    .durationOrNull(null)
                    .payload(begun.payload())
                    .instant(begun.createdAt())
                    .instant(begun.updatedAt())
                    .instant(begun.expiresAt());
            return statement.executeUpdate() == 1;
        } catch (SQLException e) {
            if (isIntegrityViolation(e)) {
                return false;
            }
            throw e;
        }
    }

    /** Writes {@code next} if the row is still {@code seen}. */
    final boolean replace(Connection connection, IdempotencyRecord seen, IdempotencyRecord next) throws SQLException {
        return replace(connection, replace, seen, next);
    }

    /** Writes {@code next} if the row is still {@code seen} and its lease not over. */
    final boolean replaceOwned(Connection connection, IdempotencyRecord seen, IdempotencyRecord next)
            throws SQLException {
        return replace(connection, replaceOwned, seen, next);
    }

    private boolean replace(Connection connection, String sql, IdempotencyRecord seen, IdempotencyRecord next)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql)) {
            RecordRow.write(parameters(statement), next)
                    .key(seen.key(), namespace)
                    .number(seen.version())
                    .instant(seen.leaseEnd())
                    .instant(seen.expiresAt());
            return statement.executeUpdate() == 1;
        }
    }

    final PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return statements.prepare(connection, sql);
    }

    final String namespace() {
        return namespace;
    }

    static Parameters parameters(PreparedStatement statement) {
        return new Parameters(statement);
    }

    private static String prefixed(String columns) {
        return "r." + columns.replace(", ", ", r.");
    }

    static boolean isIntegrityViolation(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith("23");
    }
}
