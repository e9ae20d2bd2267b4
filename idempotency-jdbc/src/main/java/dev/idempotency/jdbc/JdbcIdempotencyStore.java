// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.Cooldown;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.RecordStateMachine;
import dev.idempotency.store.ReleaseResult;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import dev.idempotency.store.RouteStates;
import dev.idempotency.store.TransactionParticipant;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Records in a table of PostgreSQL, MySQL, MariaDB or H2, made by the scripts that {@link JdbcSchema} names.
 *
 * <p>Every step runs on a connection of its own, which is held no longer than the step takes and is never that of the caller's
 * transaction: others see a claim at once. No lock is held while a handler runs. Time is the database's clock, in UTC whatever the
 * session's time zone. A row that is no record, or of a newer format, is reported as unreadable and left alone.
 *
 * <p>A success can be made part of the business transaction instead: {@link #transactionParticipant}.
 *
 * <p>May be called from any thread. Owns no connection and has nothing to close: DataSources belong to the application.
 */
public final class JdbcIdempotencyStore implements IdempotencyStore {

    /** What names of tables begin with unless told otherwise. */
    public static final String DEFAULT_TABLE_PREFIX = "idempotency_";

    /** How long to wait for a statement unless told otherwise. */
    public static final Duration DEFAULT_QUERY_TIMEOUT = Duration.ofSeconds(2);

    private static final int MAX_NAMESPACE = 200;

    private final StepConnections connections;
    private final JdbcTransactionParticipant participant;
    private final JdbcRouteStates routeStates;
    private final OfDatabase<RecordSteps> steps;

    /** A store with the default prefix and time-out. */
    public JdbcIdempotencyStore(DataSource dataSource, String namespace) {
        this(dataSource, DEFAULT_TABLE_PREFIX, namespace, DEFAULT_QUERY_TIMEOUT);
    }

    /**
     * A store. Does not connect yet.
     *
     * @param dataSource where connections come from; every step needs one of its own, also while the caller's transaction has
     *     another
     * @param tablePrefix what the tables' names begin with: letters, digits and underscores, behind the schema's name and a dot if
     *     it is not the default one
     * @param namespace the application's name among those that share the table, 1 to 200 characters without blanks around them
     * @param queryTimeout how long a statement may take, including its wait for locks, 1 to 30 seconds; taken in whole seconds,
     *     rounded up. Getting a connection is limited by the DataSource alone.
     * @throws IllegalArgumentException if an argument breaks its rule
     */
    public JdbcIdempotencyStore(DataSource dataSource, String tablePrefix, String namespace, Duration queryTimeout) {
        this(dataSource, null, tablePrefix, namespace, queryTimeout);
    }

    /**
     * A store that does not have to wait for the application's code to give connections back.
     *
     * @param reserve leads to the same database, schema and rights as {@code dataSource}, and is used by nothing else: one or two
     *     connections are enough. Serves renewals, steps of threads that are in a transaction, and ends that
     *     {@code dataSource} has no connection for. Should give up soon if it has none. {@code null} if there is none.
     */
    public JdbcIdempotencyStore(
            DataSource dataSource,
            @Nullable DataSource reserve,
            String tablePrefix,
            String namespace,
            Duration queryTimeout) {
        this.connections = new StepConnections(dataSource, reserve, queryTimeout);
        String table = JdbcSchema.requireTablePrefix(tablePrefix) + JdbcSchema.RECORD;
        requireNamespace(namespace);
        requireQueryTimeout(queryTimeout);
        this.steps = new OfDatabase<>(dialect -> new RecordSteps(
                dialect.recordTable(table, namespace, queryTimeout),
                dialect.claimRenewals(table, namespace, queryTimeout)));
        this.participant = new JdbcTransactionParticipant(dataSource, steps);
        this.routeStates = new JdbcRouteStates(connections, tablePrefix + RouteTable.NAME, namespace, queryTimeout);
    }

    static String requireNamespace(String namespace) {
        if (namespace.isEmpty() || namespace.length() > MAX_NAMESPACE || !namespace.equals(namespace.strip())) {
            throw new IllegalArgumentException("the namespace must have 1 to " + MAX_NAMESPACE
                    + " characters without blanks around them, but is '" + namespace + "'");
        }
        return namespace;
    }

    static Duration requireQueryTimeout(Duration queryTimeout) {
        if (queryTimeout.compareTo(Duration.ofSeconds(1)) < 0 || queryTimeout.compareTo(Duration.ofSeconds(30)) > 0) {
            throw new IllegalArgumentException(
                    "the query time-out must be from 1 to 30 seconds, but is " + queryTimeout);
        }
        return queryTimeout;
    }

    @Override
    public String name() {
        return "jdbc";
    }

    /** {@inheritDoc} A lease or ttl of more than 100 years is taken as 100 years. */
    @Override
    public ClaimResult claim(Claim claim) {
        Claim bounded = claim.with(Micros.bounded(claim.lease()), Micros.bounded(claim.ttl()));
        return connections.run(connection -> steps.on(connection).claim(connection, bounded));
    }

    @Override
    public List<RenewalResult> renew(List<Renewal> renewals) {
        return connections.runRenewal(connection -> steps.on(connection).renew(connection, renewals));
    }

    @Override
    public CompletionResult complete(RecordKey key, OwnerToken owner, Completion completion) {
        Completion bounded = bounded(completion);
        return connections.runEnd(connection -> steps.on(connection).complete(connection, key, owner, bounded));
    }

    @Override
    public ReleaseResult release(RecordKey key, long version) {
        return connections.run(connection -> steps.on(connection).release(connection, key, version));
    }

    @Override
    public Lookup find(RecordKey key) {
        Sight sight = connections.run(connection -> steps.on(connection).look(connection, key));
        return sight.readable() ? RecordStateMachine.find(sight.current(), sight.now()) : new Lookup.Unreadable();
    }

    @Override
    public RouteStates routeStates() {
        return routeStates;
    }

    /**
     * {@inheritDoc} The transaction must be one of Spring's at the same DataSource, or at a proxy of it: such as those of
     * {@code JdbcTransactionManager} and {@code JpaTransactionManager}.
     */
    @Override
    public TransactionParticipant transactionParticipant() {
        return participant;
    }

    private static Completion bounded(Completion completion) {
        if (completion instanceof Completion.Success success) {
            return new Completion.Success(success.payload(), Micros.bounded(success.ttl()));
        }
        if (completion instanceof Completion.Failure failure) {
            BreakerPolicy breaker = failure.breaker();
            return new Completion.Failure(
                    failure.payload(),
                    Micros.bounded(failure.ttl()),
                    new BreakerPolicy(
                            breaker.failures(), Micros.atLeastOne(breaker.window()), bounded(breaker.cooldown())));
        }
        return completion;
    }

    private static Cooldown bounded(Cooldown cooldown) {
        return new Cooldown(
                Micros.atLeastOne(cooldown.first()), cooldown.multiplier(), Micros.atLeastOne(cooldown.max()));
    }
}
