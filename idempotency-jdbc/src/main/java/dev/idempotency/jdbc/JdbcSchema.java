// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.store.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The tables of one application, and the scripts that make and drop them.
 *
 * <p>The scripts lie on the class path at {@code dev/idempotency/jdbc/{vendor}/}: {@code V1__idempotency.sql} in the form that
 * Flyway expects, and {@code drop.sql}. They use the default prefix, which is replaced when they are run from here.
 */
public final class JdbcSchema {

    static final String RECORD = "record";

    private static final Pattern TABLE_PREFIX = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*\\.)?[A-Za-z_][A-Za-z0-9_]*");

    private static final Set<String> UNKNOWN_SCHEMA = Set.of("3F000" /* PostgreSQL */, "90079" /* H2 */);

    /** In PostgreSQL: the table is there, but not for this user. */
    private static final String NO_RIGHT = "42501";

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration OTHERS_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final OwnConnections connections;
    private final String tablePrefix;

    /**
     * A schema.
     *
     * @param tablePrefix as for {@link JdbcIdempotencyStore}
     * @throws IllegalArgumentException if the prefix breaks its rule
     */
    public JdbcSchema(DataSource dataSource, String tablePrefix) {
        this.connections = new OwnConnections(dataSource, TIMEOUT);
        this.tablePrefix = requireTablePrefix(tablePrefix);
    }

    /**
     * Returns the prefix if tables can be named with it.
     *
     * @throws IllegalArgumentException unless it has letters, digits and underscores only, the first no digit, behind the schema's
     *     name and a dot if there is one
     */
    public static String requireTablePrefix(String tablePrefix) {
        if (!TABLE_PREFIX.matcher(tablePrefix).matches()) {
            throw new IllegalArgumentException("the table prefix must have letters, digits and underscores only, behind"
                    + " a schema and a dot if need be, but is '" + tablePrefix + "'");
        }
        return tablePrefix;
    }

    /** Place of the script that makes the tables, on the class path. */
    public static String createScript(Database database) {
        return "dev/idempotency/jdbc/" + database.vendor() + "/V1__idempotency.sql";
    }

    /** Place of the script that drops the tables, on the class path. */
    public static String dropScript(Database database) {
        return "dev/idempotency/jdbc/" + database.vendor() + "/drop.sql";
    }

    /**
     * The database that the DataSource leads to.
     *
     * @throws UnsupportedDatabaseException if it is none of those known
     * @throws StoreUnavailableException if it gave no answer
     */
    public Database database() {
        return connections.run(connection -> Database.of(connection.getMetaData()));
    }

    /**
     * Whether the database ends with the process, so that its tables have to be made each time.
     *
     * @throws StoreUnavailableException if it gave no answer
     */
    public boolean isInMemory() {
        return connections.run(connection -> connection.getMetaData().getURL().startsWith("jdbc:h2:mem:"));
    }

    /**
     * Whether the tables are there and have the columns that this version needs.
     *
     * @throws StoreUnavailableException if the database gave no answer
     */
    public boolean exists() {
        return connections.run(this::exists);
    }

    /**
     * Makes the tables unless they are there. Several instances may do so at once.
     *
     * @throws StoreUnavailableException if the database gave no answer, or does not allow it
     */
    public void create() {
        connections.run(connection -> {
            if (exists(connection)) {
                return false;
            }
            try {
                run(connection, createScript(Database.of(connection.getMetaData())));
            } catch (SQLException e) {
                if (!existsSoon(connection)) {
                    throw e;
                }
            }
            return true;
        });
    }

    /**
     * Drops the tables with all that is in them, if they are there.
     *
     * @throws StoreUnavailableException if the database gave no answer, or does not allow it
     */
    public void drop() {
        connections.run(connection -> {
            run(connection, dropScript(Database.of(connection.getMetaData())));
            return true;
        });
    }

    /** Another instance that was faster may still be at the last tables. */
    private boolean existsSoon(Connection connection) throws SQLException {
        long end = System.nanoTime() + OTHERS_TIMEOUT.toNanos();
        while (!exists(connection)) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
        return true;
    }

    private boolean exists(Connection connection) throws SQLException {
        return has(connection, RECORD, "record_key, biz_type, namespace, format, " + RecordTable.COLUMNS)
                && has(connection, LetterTable.NAME, LetterTable.COLUMNS)
                && has(connection, RouteTable.NAME, RouteTable.COLUMNS)
                && has(connection, QueueTable.NAME, "namespace, last_position");
    }

    private boolean has(Connection connection, String table, String columns) throws SQLException {
        String sql = "SELECT " + columns + " FROM " + tablePrefix + table + " WHERE 1 = 0";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.executeQuery().close();
            return true;
        } catch (SQLException e) {
            if (isUnknownName(e)) {
                return false;
            }
            throw e;
        }
    }

    /** Whether a table, a column or the schema is missing. */
    private static boolean isUnknownName(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return (state.startsWith("42") && !state.equals(NO_RIGHT)) || UNKNOWN_SCHEMA.contains(state);
    }

    private void run(Connection connection, String script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : load(script).split(";\\s*\n", -1)) {
                if (!sql.isBlank()) {
                    statement.execute(sql.replace(JdbcIdempotencyStore.DEFAULT_TABLE_PREFIX, tablePrefix));
                }
            }
        }
    }

    private static String load(String script) {
        try (InputStream in = JdbcSchema.class.getClassLoader().getResourceAsStream(script)) {
            if (in == null) {
                throw new IllegalStateException(script + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
