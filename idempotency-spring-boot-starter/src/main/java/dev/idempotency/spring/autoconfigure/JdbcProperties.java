// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the JDBC store.
 *
 * @param tablePrefix Beginning of the tables' names, behind the schema and a dot if it is not the default one.
 * @param initializeSchema When missing tables are created at start-up.
 * @param queryTimeout How long a statement may take, waiting for locks included, before the store counts as unavailable.
 * @param dataSource Name of the DataSource bean to use, if there are several.
 * @param reservedConnections Most connections beside the application's pool, opened on demand, for the renewal of leases and other
 *     steps that must not wait until the application gives connections back. 0 takes them all from the pool.
 * @param cleanup Deletion of expired records.
 */
public record JdbcProperties(
        @DefaultValue("idempotency_") String tablePrefix,
        @DefaultValue("embedded") SchemaInitialization initializeSchema,
        @DefaultValue("2s") Duration queryTimeout,
        @Nullable String dataSource,
        @DefaultValue("2") int reservedConnections,
        @DefaultValue Cleanup cleanup) {

    /** As the store has it, which may not be on the class path. */
    private static final Pattern TABLE_PREFIX = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*\\.)?[A-Za-z_][A-Za-z0-9_]*");

    public JdbcProperties {
        Rule.property("jdbc.table-prefix")
                .holds(
                        TABLE_PREFIX.matcher(tablePrefix).matches(),
                        "must have letters, digits and underscores only, behind a schema and a dot if need be",
                        tablePrefix);
        Rule.property("jdbc.query-timeout")
                .holds(
                        queryTimeout.compareTo(Duration.ofSeconds(1)) >= 0
                                && queryTimeout.compareTo(Duration.ofSeconds(30)) <= 0,
                        "must be from 1s to 30s",
                        queryTimeout);
        Rule.property("jdbc.reserved-connections")
                .holds(
                        reservedConnections >= 0 && reservedConnections <= 10,
                        "must be from 0 to 10",
                        reservedConnections);
    }

    /** When missing tables are created. */
    public enum SchemaInitialization {
        /** In databases in memory only. */
        EMBEDDED,

        /** In any database. */
        ALWAYS,

        /** Never: a migration does it. */
        NEVER
    }

    /**
     * Deletion of expired records.
     *
     * @param enabled Whether this instance deletes expired records. One instance is enough; several do no harm.
     * @param interval Mean time between two runs.
     * @param batchSize Most records that one statement deletes.
     */
    public record Cleanup(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1m") Duration interval,
            @DefaultValue("500") int batchSize) {

        public Cleanup {
            Rule.property("jdbc.cleanup.interval")
                    .holds(
                            !interval.isNegative()
                                    && !interval.isZero()
                                    && interval.compareTo(Duration.ofDays(365)) <= 0,
                            "must be positive and at most 365 days",
                            interval);
            Rule.property("jdbc.cleanup.batch-size")
                    .holds(batchSize >= 1 && batchSize <= 10_000, "must be from 1 to 10000", batchSize);
        }
    }
}
