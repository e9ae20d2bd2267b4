// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.store.Payload;
import dev.idempotency.store.RouteStates;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Statements at the table of routes, each atomic in itself. A change names the state that it was decided on. */
final class RouteTable {

    static final String NAME = "route";

    static final String COLUMNS = "namespace, biz_type, state";

    private final String namespace;
    private final TimedStatements statements;
    private final String read;
    private final String insert;
    private final String update;
    private final String delete;

    RouteTable(Dialect dialect, String table, String namespace, Duration queryTimeout) {
        this.namespace = namespace;
        this.statements = new TimedStatements(queryTimeout);
        String row = " WHERE namespace = ? AND biz_type = ? AND state = ?";
        this.read = "SELECT c." + RecordRow.TIME + ", r.biz_type, r.state FROM (SELECT " + dialect.statementTime()
                + " AS " + RecordRow.TIME + ") c LEFT JOIN " + table + " r ON r.namespace = ?";
        this.insert = "INSERT INTO " + table + " (" + COLUMNS + ") VALUES (?, ?, ?)";
        this.update = "UPDATE " + table + " SET state = ?" + row;
        this.delete = "DELETE FROM " + table + row;
    }

    RouteStates.Seen read(Connection connection) throws SQLException {
        try (PreparedStatement statement = statements.prepare(connection, read)) {
            new Parameters(statement).text(namespace);
            Map<String, Payload> states = new HashMap<>();
            Instant now = Instant.EPOCH;
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    now = Micros.instant(row.getLong(RecordRow.TIME));
                    String bizType = row.getString("biz_type");
                    if (bizType != null) {
                        states.put(bizType, Payload.of(row.getBytes("state")));
                    }
                }
            }
            return new RouteStates.Seen(now, states);
        }
    }

    boolean insert(Connection connection, String bizType, Payload next) throws SQLException {
        try (PreparedStatement statement = statements.prepare(connection, insert)) {
            new Parameters(statement).text(namespace).text(bizType).payload(next);
            return statement.executeUpdate() == 1;
        } catch (SQLException e) {
            if (RecordTable.isIntegrityViolation(e)) {
                return false;
            }
            throw e;
        }
    }

    boolean update(Connection connection, String bizType, Payload seen, Payload next) throws SQLException {
        try (PreparedStatement statement = statements.prepare(connection, update)) {
            new Parameters(statement)
                    .payload(next)
                    .text(namespace)
                    .text(bizType)
                    .payload(seen);
            return statement.executeUpdate() == 1;
        }
    }

    boolean delete(Connection connection, String bizType, Payload seen) throws SQLException {
        try (PreparedStatement statement = statements.prepare(connection, delete)) {
            new Parameters(statement).text(namespace).text(bizType).payload(seen);
            return statement.executeUpdate() == 1;
        }
    }
}
