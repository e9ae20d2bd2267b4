// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The connection that the calling thread's transaction has at one DataSource, whichever proxy of it is in use there. */
final class BoundConnection implements AutoCloseable {

    private final DataSource boundTo;
    private final Connection connection;

    private BoundConnection(DataSource boundTo, Connection connection) {
        this.boundTo = boundTo;
        this.connection = connection;
    }

    /**
     * The connection of the running transaction; {@code null} if there is none, or one that commits every statement by itself, as
     * Spring binds it where a method only supports transactions.
     */
    static @Nullable BoundConnection find(DataSource dataSource) throws SQLException {
        DataSource boundTo = TransactionSynchronizationManager.isActualTransactionActive() ? boundTo(dataSource) : null;
        if (boundTo == null) {
            return null;
        }
        BoundConnection bound = new BoundConnection(boundTo, DataSourceUtils.doGetConnection(boundTo));
        if (bound.connection.getAutoCommit()) {
            bound.close();
            return null;
        }
        return bound;
    }

    /** Whether the calling thread may have a connection of the DataSource, which others of its pool would come on top of. */
    static boolean isHeld(DataSource dataSource) {
        return TransactionSynchronizationManager.isSynchronizationActive() && boundTo(dataSource) != null;
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void close() {
        DataSourceUtils.releaseConnection(connection, boundTo);
    }

    private static @Nullable DataSource boundTo(DataSource dataSource) {
        if (TransactionSynchronizationManager.hasResource(dataSource)) {
            return dataSource;
        }
        DataSource target = target(dataSource);
        for (Map.Entry<Object, Object> resource :
                TransactionSynchronizationManager.getResourceMap().entrySet()) {
            if (resource.getKey() instanceof DataSource candidate
                    && resource.getValue() instanceof ConnectionHolder
                    && target(candidate) == target) {
                return candidate;
            }
        }
        return null;
    }

    private static DataSource target(DataSource dataSource) {
        DataSource innermost = dataSource;
        while (innermost instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
            innermost = proxy.getTargetDataSource();
        }
        return innermost;
    }
}
