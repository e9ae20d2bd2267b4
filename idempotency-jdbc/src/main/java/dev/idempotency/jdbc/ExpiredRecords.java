// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Deletes a batch of expired records. */
@FunctionalInterface
interface ExpiredRecords {

    /** Returns how many there were. */
    int delete(Connection connection) throws SQLException;

    /** What has expired, and has not been released only just now, for long enough. */
    static String condition(Dialect dialect) {
        String since = dialect.statementTime() + " - " + Micros.of(JdbcCleanup.GRACE);
        return "expires_at < " + since + " AND updated_at < " + since;
    }

    /** In one statement. */
    static ExpiredRecords inOneStatement(String delete, Duration queryTimeout) {
        TimedStatements statements = new TimedStatements(queryTimeout);
        return connection -> {
            try (PreparedStatement statement = statements.prepare(connection, delete)) {
                return statement.executeUpdate();
            }
        };
    }

    /**
     * In two statements, where a deletion cannot skip rows that somebody is at.
     *
     * @param pick selects the keys of records that nobody is at
     * @param delete deletes what has expired, up to where a list of keys is to follow
     */
    static ExpiredRecords inTwoStatements(String pick, String delete, Duration queryTimeout) {
        TimedStatements statements = new TimedStatements(queryTimeout);
        return connection -> {
            List<byte[]> keys = new ArrayList<>();
            try (PreparedStatement statement = statements.prepare(connection, pick);
                    ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    keys.add(row.getBytes(1));
                }
            }
            if (keys.isEmpty()) {
                return 0;
            }
            String places = "(" + String.join(", ", Collections.nCopies(keys.size(), "?")) + ")";
            try (PreparedStatement statement = statements.prepare(connection, delete + places)) {
                Parameters parameters = new Parameters(statement);
                for (byte[] key : keys) {
                    parameters.bytes(key);
                }
                return statement.executeUpdate();
            }
        };
    }
}
