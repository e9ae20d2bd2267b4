// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A small pool that is set up as the application's own: same driver, properties, schema and initial SQL. It starts when it is first
 * used, opens connections only on demand, and closes them after a minute without use. Only loaded where HikariCP is.
 */
final class HikariReserve extends DelegatingDataSource implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final Duration VALIDATION = Duration.ofSeconds(1);

    /** A database of H2 that has no name belongs to one connection alone. */
    private static final Pattern NAMELESS = Pattern.compile("jdbc:h2:mem:(;.*)?", Pattern.DOTALL);

    private final HikariDataSource original;
    private final HikariDataSource reserve;

    private HikariReserve(HikariDataSource original, HikariDataSource reserve) {
        super(reserve);
        this.original = original;
        this.reserve = reserve;
    }

    /** A reserve beside this pool; {@code null} if it is none of HikariCP's, or a subclass that may do more. */
    static @Nullable HikariReserve of(DataSource pool, int connections, Duration queryTimeout) {
        if (pool.getClass() != HikariDataSource.class) {
            return null;
        }
        HikariDataSource original = (HikariDataSource) pool;
        String url = original.getJdbcUrl();
        if (url != null && NAMELESS.matcher(url).matches()) {
            return null;
        }
        HikariDataSource reserve = new HikariDataSource();
        original.copyStateTo(reserve);
        reserve.setPoolName("idempotency");
        reserve.setMaximumPoolSize(connections);
        reserve.setMinimumIdle(0);
        reserve.setIdleTimeout(IDLE.toMillis());
        reserve.setConnectionTimeout(queryTimeout.plus(GRACE).toMillis());
        reserve.setValidationTimeout(VALIDATION.toMillis());
        reserve.setInitializationFailTimeout(-1);
        reserve.setAutoCommit(true);
        reserve.setReadOnly(false);
        reserve.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        reserve.setLeakDetectionThreshold(0);
        reserve.setAllowPoolSuspension(false);
        reserve.setRegisterMbeans(false);
        reserve.setMetricsTrackerFactory(null);
        reserve.setMetricRegistry(null);
        reserve.setHealthCheckRegistry(null);
        return new HikariReserve(original, reserve);
    }

    @Override
    public Connection getConnection() throws SQLException {
        followCredentials();
        return super.getConnection();
    }

    /** An application may change its pool's password while it runs. */
    private void followCredentials() {
        reserve.setUsername(original.getUsername());
        reserve.setPassword(original.getPassword());
    }

    @Override
    public void close() {
        reserve.close();
    }
}
