// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;

/** The databases that records can be kept in. */
public enum Database {
    /** PostgreSQL 12 or newer. */
    POSTGRESQL,

    /** MySQL 8 or newer, with InnoDB. */
    MYSQL,

    /** MariaDB 10.6 or newer, with InnoDB. */
    MARIADB,

    /** H2 2.3.230 or newer: for tests and first tries. */
    H2;

    /** The name in lower case, as the directories of scripts and Flyway's {@code {vendor}} have it. */
    public String vendor() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The database at the other end of a connection.
     *
     * @throws UnsupportedDatabaseException if it is none of these
     */
    static Database of(DatabaseMetaData metaData) throws SQLException {
        String product = metaData.getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> POSTGRESQL;
            case "MariaDB" -> MARIADB;
            // MySQL's driver calls a MariaDB server MySQL as well.
            case "MySQL" -> metaData.getDatabaseProductVersion().contains("MariaDB") ? MARIADB : MYSQL;
            case "H2" -> H2;
            default ->
                throw new UnsupportedDatabaseException(
                        "the JDBC store works on PostgreSQL, MySQL, MariaDB and H2, but the DataSource leads to "
                                + product);
        };
    }
}
