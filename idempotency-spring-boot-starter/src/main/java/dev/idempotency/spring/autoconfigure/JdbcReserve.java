// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.util.ClassUtils;

/**
 * Connections to the application's database that its own code cannot use up. No {@code DataSource} itself, so that it is not taken
 * for one of the application's.
 */
final class JdbcReserve implements DisposableBean {

    private static final Logger log = LoggerFactory.getLogger("dev.idempotency");

    private static final boolean HIKARI_PRESENT =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", JdbcReserve.class.getClassLoader());

    private final @Nullable HikariReserve pool;

    private JdbcReserve(@Nullable HikariReserve pool) {
        this.pool = pool;
    }

    /**
     * A reserve beside a DataSource; empty if none is wanted or can be made that surely leads to the same place.
     *
     * @param connections most connections; 0 for none
     */
    static JdbcReserve of(DataSource dataSource, int connections, Duration queryTimeout) {
        if (connections == 0) {
            return new JdbcReserve(null);
        }
        DataSource target = target(dataSource);
        HikariReserve pool = HIKARI_PRESENT ? HikariReserve.of(target, connections, queryTimeout) : null;
        if (pool == null && isPool(target)) {
            log.info(
                    "Idempotency takes all its connections from the application's {}, as none can be set apart beside it:"
                            + " while its connections are used up, leases are not renewed and may run out.",
                    target.getClass().getName());
        }
        return new JdbcReserve(pool);
    }

    @Nullable
    DataSource dataSource() {
        return pool;
    }

    /** What is behind proxies that change nothing of the connection; any other may prepare it in a way that must not be lost. */
    private static DataSource target(DataSource dataSource) {
        if (dataSource.getClass() == TransactionAwareDataSourceProxy.class) {
            DataSource behind = ((TransactionAwareDataSourceProxy) dataSource).getTargetDataSource();
            return behind == null ? dataSource : target(behind);
        }
        if (dataSource.getClass() == LazyConnectionDataSourceProxy.class) {
            DataSource behind = ((LazyConnectionDataSourceProxy) dataSource).getTargetDataSource();
            return behind == null ? dataSource : target(behind);
        }
        return dataSource;
    }

    /** Spring's own open a connection whenever they are asked for one. */
    private static boolean isPool(DataSource dataSource) {
        return !(dataSource instanceof AbstractDriverBasedDataSource || dataSource instanceof EmbeddedDatabase);
    }

    @Override
    public void destroy() {
        if (pool != null) {
            pool.close();
        }
    }
}
