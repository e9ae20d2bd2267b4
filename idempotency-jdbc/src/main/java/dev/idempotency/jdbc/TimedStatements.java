// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** Prepares statements that end by themselves. */
record TimedStatements(Duration timeout) {

    PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            statement.setQueryTimeout(Micros.wholeSeconds(timeout));
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }
}
