// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.LetterChange;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.LetterPage;
import dev.idempotency.deadletter.LetterSteps;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters in tables of PostgreSQL, MySQL, MariaDB or H2, made by the scripts that {@link JdbcSchema} names.
 *
 * <p>Every step is a transaction of its own, never part of the caller's. Those who park at the same time in one namespace do so one
 * after the other. May be called from any thread; owns no connection.
 */
public final class JdbcDeadLetterQueue implements DeadLetterQueue {

    private final StepConnections connections;
    private final String tablePrefix;
    private final String namespace;
    private final DeadLetterLimits limits;
    private final Duration queryTimeout;
    private volatile @Nullable Tables tables;

    /**
     * A queue. Does not connect yet. Its parameters are as for {@link JdbcIdempotencyStore}.
     *
     * @param limits the same for all that share the namespace
     * @throws IllegalArgumentException if an argument breaks its rule
     */
    public JdbcDeadLetterQueue(
            DataSource dataSource,
            String tablePrefix,
            String namespace,
            DeadLetterLimits limits,
            Duration queryTimeout) {
        this(dataSource, null, tablePrefix, namespace, limits, queryTimeout);
    }

    /**
     * A queue that threads which are in a transaction can use without a second connection of {@code dataSource}.
     *
     * @param reserve as for {@link JdbcIdempotencyStore}
     */
    public JdbcDeadLetterQueue(
            DataSource dataSource,
            @Nullable DataSource reserve,
            String tablePrefix,
            String namespace,
            DeadLetterLimits limits,
            Duration queryTimeout) {
        this.tablePrefix = JdbcSchema.requireTablePrefix(tablePrefix);
        this.namespace = JdbcIdempotencyStore.requireNamespace(namespace);
        this.queryTimeout = JdbcIdempotencyStore.requireQueryTimeout(queryTimeout);
        this.limits = limits;
        this.connections = new StepConnections(dataSource, reserve, queryTimeout);
    }

    private record Tables(LetterTable letters, QueueTable queue) {}

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public Parked park(ParkedRequest request) {
        if (request.content().size() > limits.maxBytes()) {
            throw new IllegalArgumentException("a letter of " + request.content() + " does not fit into a queue of "
                    + limits.maxBytes() + " bytes");
        }
        if (seenAgain(request.id())) {
            return new Parked(false, List.of());
        }
        Optional<Parked> parked = tryToPark(request);
        if (parked.isEmpty()) { // somebody has emptied the tables since they were opened
            tables = null;
            parked = tryToPark(request);
        }
        return parked.orElseThrow(() -> new StoreUnavailableException("the queue's row is deleted all the time", null));
    }

    private Optional<Parked> tryToPark(ParkedRequest request) {
        Tables known = tables();
        return connections.runInTransaction(connection -> Optional.ofNullable(park(connection, known, request)));
    }

    private @Nullable Parked park(Connection connection, Tables known, ParkedRequest request) throws SQLException {
        QueueTable.Position position = known.queue().lock(connection);
        if (position == null) {
            return null;
        }
        if (known.letters().seenAgain(connection, request.id())) {
            return new Parked(false, List.of());
        }
        List<String> dropped = new LetterLimiter(known.letters(), limits)
                .makeRoom(connection, request.content().size());
        known.letters().insert(connection, request, position.number(), position.at());
        known.queue().take(connection, position);
        return new Parked(true, dropped);
    }

    @Override
    public boolean seenAgain(String id) {
        LetterTable letters = tables().letters();
        return connections.run(connection -> letters.seenAgain(connection, id));
    }

    @Override
    public @Nullable DeadLetter find(String id) {
        LetterTable letters = tables().letters();
        Optional<DeadLetter> found = connections.run(connection -> Optional.ofNullable(letters.find(connection, id)));
        return found.orElse(null);
    }

    @Override
    public LetterPage list(LetterFilter filter, @Nullable String start, int size) {
        LetterPage.requireSize(size);
        long before = before(start);
        LetterTable letters = tables().letters();
        List<LetterTable.Found> found =
                connections.run(connection -> letters.list(connection, filter, before, size + 1));
        List<LetterTable.Found> page = found.size() > size ? found.subList(0, size) : found;
        return new LetterPage(
                page.stream().map(each -> each.letter().at(each.now())).toList(),
                found.size() > size ? Long.toString(page.get(size - 1).position()) : null);
    }

    private static long before(@Nullable String start) {
        try {
            return start == null ? Long.MAX_VALUE : Long.parseLong(start);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("no page of this queue begins at '" + start + "'", e);
        }
    }

    @Override
    public Map<DeadLetterState, Long> counts() {
        LetterTable letters = tables().letters();
        return connections.run(connection -> letters.counts(connection));
    }

    @Override
    public LetterChange startRedrive(String id, OwnerToken owner, Duration lease, String operator) {
        Duration bounded = Micros.atLeastOne(lease);
        return change(id, (current, now) -> LetterSteps.startRedrive(current, owner, bounded, operator, now));
    }

    @Override
    public LetterChange endRedrive(String id, OwnerToken owner, RedriveOutcome outcome) {
        return change(id, (current, now) -> LetterSteps.endRedrive(current, owner, outcome, now));
    }

    @Override
    public LetterChange discard(String id, String operator, String note) {
        return change(id, (current, now) -> LetterSteps.discard(current, operator, note, now));
    }

    private LetterChange change(String id, BiFunction<@Nullable DeadLetterSummary, Instant, LetterChange> step) {
        LetterTable letters = tables().letters();
        return connections.runInTransaction(connection -> {
            LetterTable.Found current = letters.lock(connection, id);
            if (current == null) {
                return new LetterChange.Absent();
            }
            LetterChange result = step.apply(current.letter(), current.now());
            if (result instanceof LetterChange.Changed changed) {
                letters.update(connection, changed.letter());
            }
            return result;
        });
    }

    /** Which database it is becomes known with the first step, so that the application starts without. */
    private Tables tables() {
        Tables known = tables;
        if (known == null) {
            known = connections.run(this::open);
            tables = known;
        }
        return known;
    }

    private Tables open(Connection connection) throws SQLException {
        Dialect dialect = Dialect.of(Database.of(connection.getMetaData()));
        QueueTable queue = new QueueTable(dialect, tablePrefix + QueueTable.NAME, namespace, queryTimeout);
        queue.open(connection);
        return new Tables(
                new LetterTable(dialect, tablePrefix + LetterTable.NAME, namespace, limits, queryTimeout), queue);
    }
}
