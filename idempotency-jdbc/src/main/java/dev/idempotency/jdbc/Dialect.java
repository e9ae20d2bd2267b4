// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.time.Duration;

/** What one database says in its own way. Times are microseconds since 1970 in UTC, by the database's clock. */
interface Dialect {

    /** Expression for the time at which a statement outside of a transaction began; constant within the statement. */
    String statementTime();

    /** Expression for the time at which it is evaluated, also late in a long transaction. */
    String wallClock();

    /** The steps at this dialect's table. */
    RecordTable recordTable(String table, String namespace, Duration queryTimeout);

    /** Renewals at this dialect's table. */
    ClaimRenewals claimRenewals(String table, String namespace, Duration queryTimeout);

    /** Deletes at most so many records that have expired, of those that nobody else is at. */
    ExpiredRecords expiredRecords(String table, int batchSize, Duration queryTimeout);

    /** The dialect of a database. */
    static Dialect of(Database database) {
        return switch (database) {
            case POSTGRESQL -> new PostgreSqlDialect();
            case MYSQL, MARIADB -> new MySqlDialect();
            case H2 -> new H2Dialect();
        };
    }
}
