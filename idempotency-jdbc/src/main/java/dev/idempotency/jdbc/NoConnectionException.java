// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.io.Serial;
import java.sql.SQLException;

/** A DataSource gave no connection, so that nothing was begun. */
final class NoConnectionException extends SQLException {

    @Serial
    private static final long serialVersionUID = 1L;

    NoConnectionException(SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
    }

    /**
     * Whether the server itself has said no, such as to the password or as it has too many connections; not if it cannot be
     * reached or is just starting.
     */
    boolean isRefusal() {
        String state = getSQLState();
        return state != null && (state.equals("08004") || !(state.startsWith("08") || state.startsWith("57P")));
    }
}
