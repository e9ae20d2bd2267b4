// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One row for each namespace's queue of dead letters: whoever parks has it locked, and numbers the letters by it. */
final class QueueTable {

    static final String NAME = "dead_letter_queue";

    private final String table;
    private final String namespace;
    private final String wallClock;
    private final TimedStatements statements;

    QueueTable(Dialect dialect, String table, String namespace, Duration queryTimeout) {
        this.table = table;
        this.namespace = namespace;
        this.wallClock = dialect.wallClock();
        this.statements = new TimedStatements(queryTimeout);
    }

    /**
     * A place in the order of parking.
     *
     * @param at the database's time
     */
    record Position(long number, Instant at) {}

    /** Makes the row if it is not there; outside of transactions, as the failure to make it would end one. */
    void open(Connection connection) throws SQLException {
        String sql = "INSERT INTO " + table + " (namespace, last_position) VALUES (?, 0)";
        try (PreparedStatement statement = statements.prepare(connection, sql)) {
            new Parameters(statement).text(namespace);
            statement.executeUpdate();
        } catch (SQLException e) {
            if (!RecordTable.isIntegrityViolation(e)) {
                throw e;
            }
        }
    }

    /** The next place, which is the caller's alone until its transaction ends; {@code null} if the row has been deleted. */
    @Nullable
    Position lock(Connection connection) throws SQLException {
        String sql = "SELECT last_position + 1, " + wallClock + " FROM " + table + " WHERE namespace = ? FOR UPDATE";
        try (PreparedStatement statement = statements.prepare(connection, sql)) {
            new Parameters(statement).text(namespace);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? new Position(row.getLong(1), Micros.instant(row.getLong(2))) : null;
            }
        }
    }

    void take(Connection connection, Position position) throws SQLException {
        String sql = "UPDATE " + table + " SET last_position = ? WHERE namespace = ?";
        try (PreparedStatement statement = statements.prepare(connection, sql)) {
            new Parameters(statement).number(position.number()).text(namespace);
            statement.executeUpdate();
        }
    }
}
