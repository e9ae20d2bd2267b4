// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.testcontainers.DockerClientFactory;

/**
 * A real database for tests, with the tables of idempotency in it: the one at the JDBC URL, with user and password, in the
 * environment variable {@code IDEMPOTENCY_TEST_POSTGRESQL} or {@code IDEMPOTENCY_TEST_MARIADB} (which may name a MySQL server as
 * well) if that is set, else a container where Docker runs, else the server inside a Maven artifact. Where none of them starts,
 * asking for one fails; it never skips. H2 is in the test's own process.
 */
public final class TestDatabase {

    private static final int ATTEMPTS = 3;

    private static final Map<Database, TestDatabase> SHARED = new EnumMap<>(Database.class);

    private final Database database;
    private final DatabaseServer server;

    private TestDatabase(Database database, DatabaseServer server) {
        this.database = database;
        this.server = server;
    }

    /** The server that all tests of this process share; what it holds is anybody's. */
    public static synchronized TestDatabase shared(Database database) {
        return SHARED.computeIfAbsent(database, TestDatabase::openShared);
    }

    private static TestDatabase openShared(Database database) {
        String url = System.getenv("IDEMPOTENCY_TEST_" + database);
        if (url != null && !url.isBlank()) {
            return withTables(database, DatabaseServer.at(url));
        }
        TestDatabase started = start(database, () -> newServer(database, false));
        Runtime.getRuntime().addShutdownHook(new Thread(started.server::stop));
        return started;
    }

    /** A server of one's own, which may be killed and started again; never the one of the environment variable. */
    public static TestDatabase startPrivate(Database database) {
        return start(database, () -> newServer(database, true));
    }

    /** The same, from the Maven artifact even where Docker runs: a child of the test's process. */
    public static TestDatabase startProcess(Database database) {
        return start(database, () -> newProcess(database, true));
    }

    private static TestDatabase start(Database database, Supplier<DatabaseServer> servers) {
        List<Exception> failures = new ArrayList<>();
        for (int i = 0; i < ATTEMPTS; i++) {
            // A busy machine may take longer than the artifact waits.
            DatabaseServer server = servers.get();
            try {
                server.start();
                return withTables(database, server);
            } catch (Exception e) {
                failures.add(e);
            }
        }
        IllegalStateException failure = new IllegalStateException(
                "tests need a " + database + " server: set IDEMPOTENCY_TEST_" + database
                        + " to its JDBC URL, run Docker, or use a machine that the server in the Maven artifact runs on",
                failures.get(0));
        failures.stream().skip(1).forEach(failure::addSuppressed);
        throw failure;
    }

    private static DatabaseServer newServer(Database database, boolean mayBeKilled) {
        if (database == Database.H2) {
            return new H2Server();
        }
        return DockerClientFactory.instance().isDockerAvailable()
                ? ContainerServer.of(database)
                : newProcess(database, mayBeKilled);
    }

    private static DatabaseServer newProcess(Database database, boolean mayBeKilled) {
        return database == Database.POSTGRESQL ? new EmbeddedPostgresServer() : new EmbeddedMariaDbServer(mayBeKilled);
    }

    private static TestDatabase withTables(Database database, DatabaseServer server) {
        TestDatabase opened = new TestDatabase(database, server);
        try (HikariDataSource pool = opened.pool(1)) {
            new JdbcSchema(pool, JdbcIdempotencyStore.DEFAULT_TABLE_PREFIX).create();
        }
        return opened;
    }

    public Database database() {
        return database;
    }

    /** With user and password in it. */
    public String url() {
        return server.url();
    }

    /** The same for processes other than the test's own. */
    public String urlForOtherProcesses() {
        return server.urlForOtherProcesses();
    }

    /** A new pool, to be closed by the test. */
    public HikariDataSource pool(int size) {
        return pool(url(), size);
    }

    static HikariDataSource pool(String url, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(Duration.ofSeconds(10).toMillis());
        return new HikariDataSource(config);
    }

    /** Runs a statement on a connection of its own. */
    void execute(String sql) {
        try (HikariDataSource pool = pool(1)) {
            new JdbcTemplate(pool).execute(sql);
        }
    }

    /** Ends a private server without warning, as a power cut would. */
    public void kill() {
        server.kill();
    }

    /** Starts a private server again, with the data it had. */
    public void start() {
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("the test's database did not start again", e);
        }
    }

    /** Stops a private server for good. */
    public void stop() {
        server.stop();
    }
}
