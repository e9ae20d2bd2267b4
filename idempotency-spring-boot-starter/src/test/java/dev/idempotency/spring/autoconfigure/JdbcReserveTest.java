// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

@ExtendWith(OutputCaptureExtension.class)
class JdbcReserveTest {

    /** Long, so that a busy machine does not matter. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final HikariDataSource pool = new HikariDataSource();
    private JdbcReserve reserve = JdbcReserve.of(pool, 0, TIMEOUT);

    @AfterEach
    void close() {
        reserve.destroy();
        pool.close();
    }

    private JdbcTemplate reserveOf(DataSource dataSource) {
        reserve = JdbcReserve.of(dataSource, 2, TIMEOUT);
        assertThat(reserve.dataSource()).isNotNull();
        return new JdbcTemplate(reserve.dataSource());
    }

    private void assertNone(DataSource dataSource) {
        assertThat(JdbcReserve.of(dataSource, 2, TIMEOUT).dataSource()).isNull();
    }

    @Test
    void aConnectionIsPreparedAsThePoolsAre() {
        pool.setJdbcUrl(url + ";INIT=CREATE SCHEMA IF NOT EXISTS tenant");
        pool.setUsername("sa");
        pool.setSchema("TENANT");
        pool.setConnectionInitSql("SET @prepared = 'yes'");
        JdbcTemplate jdbc = reserveOf(pool);

        assertThat(jdbc.queryForObject(
                        "SELECT @prepared || ' ' || CURRENT_SCHEMA || ' ' || CURRENT_USER", String.class))
                .isEqualTo("yes TENANT SA");
        assertThat(jdbc.queryForObject(
                        "SELECT isolation_level FROM information_schema.sessions WHERE session_id = SESSION_ID()",
                        String.class))
                .isEqualTo("READ COMMITTED");
    }

    @Test
    void whatTheDriverIsToldIsToldAgain() {
        pool.setDataSourceClassName(JdbcDataSource.class.getName());
        pool.addDataSourceProperty("URL", url);
        pool.addDataSourceProperty("user", "sa");

        assertThat(reserveOf(pool).queryForObject("SELECT CURRENT_USER", String.class))
                .isEqualTo("SA");
    }

    @Test
    void itIsNotUsedUpWithThePoolAndHasABoundOfItsOwn() throws Exception {
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(1);
        JdbcTemplate jdbc = reserveOf(pool);
        try (Connection used = pool.getConnection()) {
            assertThat(used.isClosed()).isFalse();
            assertThat(jdbc.queryForObject("SELECT 1", Integer.class)).isEqualTo(1);
        }
        HikariDataSource behind =
                (HikariDataSource) ((DelegatingDataSource) reserve.dataSource()).getTargetDataSource();
        assertThat(behind.getMaximumPoolSize()).isEqualTo(2);
        assertThat(behind.getMinimumIdle()).isZero();
        assertThat(pool.getMaximumPoolSize()).as("unchanged").isEqualTo(1);
    }

    @Test
    void nothingIsOpenedBeforeItIsUsedNorLeftOpen() {
        pool.setJdbcUrl(url);
        pool.setRegisterMbeans(true);
        JdbcTemplate jdbc = reserveOf(pool);
        HikariDataSource behind =
                (HikariDataSource) ((DelegatingDataSource) reserve.dataSource()).getTargetDataSource();
        assertThat(behind.getHikariPoolMXBean()).isNull();
        jdbc.queryForObject("SELECT 1", Integer.class);
        assertThat(behind.getHikariPoolMXBean().getTotalConnections()).isEqualTo(1);

        reserve.destroy();

        assertThat(behind.isClosed()).isTrue();
        assertThat(pool.isClosed()).isFalse();
    }

    @Test
    void aPasswordThatChangesWhileTheApplicationRunsIsFollowed() {
        new JdbcTemplate(new DriverManagerDataSource(url, "sa", "")).execute("CREATE USER app PASSWORD 'old' ADMIN");
        pool.setJdbcUrl(url);
        pool.setUsername("app");
        pool.setPassword("old");
        pool.setMaximumPoolSize(1);
        JdbcTemplate jdbc = reserveOf(pool);
        new JdbcTemplate(pool).execute("ALTER USER app SET PASSWORD 'new'");

        pool.getHikariConfigMXBean().setPassword("new");

        assertThat(jdbc.queryForObject("SELECT CURRENT_USER", String.class)).isEqualTo("APP");
    }

    @Test
    void proxiesOfSpringAreLookedThrough() {
        pool.setJdbcUrl(url);
        DataSource proxy = new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(pool));
        assertThat(reserveOf(proxy).queryForObject("SELECT 1", Integer.class)).isEqualTo(1);
    }

    /** It may set the tenant, the role or the schema of each connection. */
    @Test
    void thereIsNoneBehindWhatMayPrepareConnectionsAndThatIsSaid(CapturedOutput output) {
        pool.setJdbcUrl(url);
        assertNone(new DelegatingDataSource(pool));
        assertThat(output).contains("from the application's " + DelegatingDataSource.class.getName());
        assertNone(new TransactionAwareDataSourceProxy(new DelegatingDataSource(pool)));
        try (HikariDataSource special = new HikariDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return super.getConnection();
            }
        }) {
            assertNone(special);
        }
    }

    /** Each of its connections has a database of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:mem:", "jdbc:h2:mem:;DB_CLOSE_DELAY=-1"})
    void thereIsNoneBesideANamelessDatabase(String nameless) {
        pool.setJdbcUrl(nameless);
        assertNone(pool);
    }

    @Test
    void whatOpensAConnectionWheneverItIsAskedNeedsNone(CapturedOutput output) {
        assertNone(new DriverManagerDataSource(url));
        EmbeddedDatabase embedded = new EmbeddedDatabaseBuilder()
                .generateUniqueName(true)
                .setType(EmbeddedDatabaseType.H2)
                .build();
        assertNone(embedded);
        embedded.shutdown();
        assertThat(output).doesNotContain("set apart");
    }

    @Test
    void noneIsNoneAndNothingIsSaid(CapturedOutput output) {
        pool.setJdbcUrl(url);
        assertThat(JdbcReserve.of(pool, 0, TIMEOUT).dataSource()).isNull();
        assertThat(output).doesNotContain("set apart");
    }
}
