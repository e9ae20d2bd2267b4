// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.store.Payload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Statements at the table of dead letters. A letter whose retention is over is as good as gone. */
final class LetterTable {

    static final String NAME = "dead_letter";

    /** All that a letter has. */
    static final String COLUMNS =
            "namespace, queue_position, content, id, " + LetterRow.CASE_COLUMNS + ", " + LetterRow.HANDLING_COLUMNS;

    private static final String SUMMARY = "id, " + LetterRow.CASE_COLUMNS + ", " + LetterRow.HANDLING_COLUMNS;

    private final String table;
    private final String namespace;
    private final String now;
    private final String wallClock;
    private final String live;
    private final long retention;
    private final TimedStatements statements;

    LetterTable(Dialect dialect, String table, String namespace, DeadLetterLimits limits, Duration queryTimeout) {
        this.table = table;
        this.namespace = namespace;
        this.now = dialect.statementTime();
        this.wallClock = dialect.wallClock();
        this.retention = Micros.of(limits.retention());
        this.live = "namespace = ? AND first_seen > " + now + " - " + retention;
        this.statements = new TimedStatements(queryTimeout);
    }

    /** A letter, its place in the order of parking, and the database's time. */
    record Found(DeadLetterSummary letter, long position, Instant now) {}

    boolean seenAgain(Connection connection, String id) throws SQLException {
        String sql = "UPDATE " + table + " SET occurrences = occurrences + 1, last_seen = " + now + " WHERE " + live
                + " AND id = ?";
        try (PreparedStatement statement = statements.prepare(connection, sql)) {
            new Parameters(statement).text(namespace).text(id);
            return statement.executeUpdate() == 1;
        }
    }

    @Nullable
    DeadLetter find(Connection connection, String id) throws SQLException {
        String sql = "SELECT " + now + " AS " + RecordRow.TIME + ", content, " + SUMMARY + " FROM " + table + " WHERE "
                + live + " AND id = ?";
        try (PreparedStatement statement = statements.prepare(connection, sql)) {
            new Parameters(statement).text(namespace).text(id);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? seen(row).with(Payload.of(row.getBytes("content"))) : null;
            }
        }
    }

    /** The letter as it is written, which nobody else changes until the transaction ends. */
    @Nullable
    Found lock(Connection connection, String id) throws SQLException {
        String sql = "SELECT " + wallClock + " AS " + RecordRow.TIME + ", queue_position, " + SUMMARY + " FROM " + table
                + " WHERE " + live + " AND id = ? FOR UPDATE";
        try (PreparedStatement statement = statements.prepare(connection, sql)) {
            new Parameters(statement).text(namespace).text(id);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? found(row) : null;
            }
        }
    }

    /** Letters that the filter accepts, the one parked last first. */
    List<Found> list(Connection connection, LetterFilter filter, long before, int count) throws SQLException {
        StringBuilder sql = new StringBuilder("SELECT " + now + " AS " + RecordRow.TIME + ", queue_position, " + SUMMARY
                + " FROM " + table + " WHERE " + live + " AND queue_position < ?");
        if (filter.state() != null) {
            sql.append(" AND ").append(effectiveState()).append(" = ").append(LetterRow.code(filter.state()));
        }
        sql.append(filter.reason() == null ? "" : " AND reason = ?")
                .append(filter.bizType() == null ? "" : " AND biz_type = ?")
                .append(filter.from() == null ? "" : " AND first_seen >= ?")
                .append(filter.to() == null ? "" : " AND first_seen < ?")
                .append(" ORDER BY queue_position DESC LIMIT ")
                .append(count);
        try (PreparedStatement statement = statements.prepare(connection, sql.toString())) {
            Parameters parameters = new Parameters(statement).text(namespace).number(before);
            if (filter.reason() != null) {
                parameters.text(filter.reason().name());
            }
            if (filter.bizType() != null) {
                parameters.text(filter.bizType());
            }
            if (filter.from() != null) {
                parameters.number(Micros.roundedUp(filter.from()));
            }
            if (filter.to() != null) {
                parameters.number(Micros.roundedUp(filter.to()));
            }
            return found(statement);
        }
    }

    Map<DeadLetterState, Long> counts(Connection connection) throws SQLException {
        Map<DeadLetterState, Long> counts = new EnumMap<>(DeadLetterState.class);
        for (DeadLetterState state : DeadLetterState.values()) {
            counts.put(state, 0L);
        }
        String sql = "SELECT e.effective, COUNT(*) FROM (SELECT " + effectiveState() + " AS effective FROM " + table
                + " WHERE " + live + ") e GROUP BY e.effective";
        try (PreparedStatement statement = statements.prepare(connection, sql)) {
            new Parameters(statement).text(namespace);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    counts.put(LetterRow.state(row.getInt(1)), row.getLong(2));
                }
            }
        }
        return counts;
    }

    /** All letters, the oldest first. */
    List<Found> all(Connection connection) throws SQLException {
        String sql = "SELECT " + now + " AS " + RecordRow.TIME + ", queue_position, " + SUMMARY + " FROM " + table
                + " WHERE " + live + " ORDER BY queue_position";
        try (PreparedStatement statement = statements.prepare(connection, sql)) {
            new Parameters(statement).text(namespace);
            return found(statement);
        }
    }

    void deleteExpired(Connection connection) throws SQLException {
        String sql = "DELETE FROM " + table + " WHERE namespace = ? AND first_seen <= " + now + " - " + retention;
        try (PreparedStatement statement = statements.prepare(connection, sql)) {
            new Parameters(statement).text(namespace);
            statement.executeUpdate();
        }
    }

    void delete(Connection connection, Found letter) throws SQLException {
        String sql = "DELETE FROM " + table + " WHERE namespace = ? AND id = ?";
        try (PreparedStatement statement = statements.prepare(connection, sql)) {
            new Parameters(statement).text(namespace).text(letter.letter().id());
            statement.executeUpdate();
        }
    }

    void insert(Connection connection, ParkedRequest request, long position, Instant at) throws SQLException {
        String sql = "INSERT INTO " + table + " (namespace, id, queue_position, content, " + LetterRow.CASE_COLUMNS
                + ", " + LetterRow.HANDLING_COLUMNS
                + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        DeadLetterSummary letter = DeadLetterSummary.parked(request, at);
        try (PreparedStatement statement = statements.prepare(connection, sql)) {
            Parameters parameters = new Parameters(statement)
                    .text(namespace)
                    .text(request.id())
                    .number(position)
                    .payload(request.content());
            LetterRow.writeHandling(LetterRow.writeCase(parameters, letter), letter.handling());
            statement.executeUpdate();
        }
    }

    void update(Connection connection, DeadLetterSummary letter) throws SQLException {
        String sql = "UPDATE " + table + " SET " + LetterRow.HANDLING_COLUMNS.replace(",", " = ?,")
                + " = ? WHERE namespace = ? AND id = ?";
        try (PreparedStatement statement = statements.prepare(connection, sql)) {
            LetterRow.writeHandling(new Parameters(statement), letter.handling())
                    .text(namespace)
                    .text(letter.id());
            statement.executeUpdate();
        }
    }

    /** A redrive whose lease is over leaves the letter open. */
    private String effectiveState() {
        return "CASE WHEN state = " + LetterRow.REDRIVING + " AND lease_end <= " + now + " THEN " + LetterRow.OPEN
                + " ELSE state END";
    }

    private static List<Found> found(PreparedStatement statement) throws SQLException {
        List<Found> letters = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                letters.add(found(row));
            }
        }
        return letters;
    }

    private static Found found(ResultSet row) throws SQLException {
        return new Found(
                LetterRow.read(row), row.getLong("queue_position"), Micros.instant(row.getLong(RecordRow.TIME)));
    }

    private static DeadLetterSummary seen(ResultSet row) throws SQLException {
        return LetterRow.read(row).at(Micros.instant(row.getLong(RecordRow.TIME)));
    }
}
