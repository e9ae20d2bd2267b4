// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Connections that are never those of the caller's transaction, for as long as one step takes. Every statement on them is a
 * transaction of its own. What is set on a connection is set back before the pool gets it.
 */
final class OwnConnections {

    private static final int MAX_ATTEMPTS = 5;

    /** What the server's own time-out is given before the connection is cut. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final DataSource dataSource;
    private final int networkTimeoutMillis;

    OwnConnections(DataSource dataSource, Duration queryTimeout) {
        this.dataSource = withoutTransactions(dataSource);
        this.networkTimeoutMillis = Math.toIntExact(queryTimeout.plus(GRACE).toMillis());
    }

    /** What is done on a connection; it may be done again if the database has undone it. */
    @FunctionalInterface
    interface Work<R> {
        R on(Connection connection) throws SQLException;
    }

    /**
     * Does the work, again if the database chose it as the victim of a deadlock or could not serialize it.
     *
     * @throws StoreUnavailableException if the database gave no answer, or chose the work each of {@value #MAX_ATTEMPTS} times
     */
    <R> R run(Work<R> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(work);
            } catch (SQLException e) {
                if (attempt == MAX_ATTEMPTS || !isRolledBack(e)) {
                    throw unavailable(e);
                }
            }
        }
    }

    /** The same in one transaction of its own, which sees what others have committed by each of its statements. */
    <R> R runInTransaction(Work<R> work) {
        return run(connection -> inTransaction(connection, work));
    }

    /** The same on a connection of {@link #run}. */
    static <R> R inTransaction(Connection connection, Work<R> work) throws SQLException {
        int isolation = connection.getTransactionIsolation();
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        try {
            return commit(connection, work);
        } finally {
            if (isolation != Connection.TRANSACTION_READ_COMMITTED && !connection.isClosed()) {
                connection.setTransactionIsolation(isolation);
            }
        }
    }

    private static <R> R commit(Connection connection, Work<R> work) throws SQLException {
        connection.setAutoCommit(false);
        boolean committed = false;
        try {
            R result = work.on(connection);
            connection.commit();
            committed = true;
            return result;
        } finally {
            if (!connection.isClosed()) {
                if (!committed) {
                    connection.rollback();
                }
                connection.setAutoCommit(true);
            }
        }
    }

    static StoreUnavailableException unavailable(SQLException e) {
        return new StoreUnavailableException(
                "the database did not carry out the step (SQL state " + e.getSQLState() + ", code " + e.getErrorCode()
                        + ")",
                e);
    }

    private <R> R once(Work<R> work) throws SQLException {
        Connection connection = open();
        try {
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit) {
                connection.setAutoCommit(true);
            }
            int networkTimeout = limitNetwork(connection);
            try {
                return work.on(connection);
            } finally {
                restore(connection, autoCommit, networkTimeout);
            }
        } finally {
            close(connection);
        }
    }

    private Connection open() throws NoConnectionException {
        try {
            return openOutsideOfTransactions();
        } catch (SQLException e) {
            throw new NoConnectionException(e);
        }
    }

    /** A DataSource that sends read-only transactions to a replica must not take the caller's for ours. */
    private Connection openOutsideOfTransactions() throws SQLException {
        if (!TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            return dataSource.getConnection();
        }
        TransactionSynchronizationManager.setCurrentTransactionReadOnly(false);
        try {
            return dataSource.getConnection();
        } finally {
            TransactionSynchronizationManager.setCurrentTransactionReadOnly(true);
        }
    }

    /** For servers that have gone silent; a driver that knows no such limit goes without. */
    private int limitNetwork(Connection connection) {
        try {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
            return before;
        } catch (SQLException | AbstractMethodError e) {
            return 0;
        }
    }

    private static void restore(Connection connection, boolean autoCommit, int networkTimeout) {
        try {
            if (connection.isClosed()) {
                return;
            }
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
        } catch (SQLException | AbstractMethodError e) {
            // What the step has found out stands; the pool throws a broken connection away by itself.
        }
        restoreAutoCommit(connection, autoCommit);
    }

    private static void restoreAutoCommit(Connection connection, boolean autoCommit) {
        try {
            if (!autoCommit && !connection.isClosed()) {
                connection.setAutoCommit(false);
            }
        } catch (SQLException e) {
            // As above.
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // As above.
        }
    }

    private static boolean isRolledBack(@Nullable Throwable failure) {
        return failure instanceof SQLException e
                && e.getSQLState() != null
                && e.getSQLState().startsWith("40");
    }

    private static DataSource withoutTransactions(DataSource dataSource) {
        DataSource own = dataSource;
        while (own instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            own = proxy.getTargetDataSource();
        }
        return own;
    }
}
