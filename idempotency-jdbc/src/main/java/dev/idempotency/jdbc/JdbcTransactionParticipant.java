// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.TransactionParticipant;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Ends claims on the connection of the calling thread's transaction. */
final class JdbcTransactionParticipant implements TransactionParticipant {

    private final DataSource dataSource;
    private final OwnConnections.Work<RecordSteps> steps;

    JdbcTransactionParticipant(DataSource dataSource, OwnConnections.Work<RecordSteps> steps) {
        this.dataSource = dataSource;
        this.steps = steps;
    }

    @Override
    public boolean isInTransaction() {
        try (BoundConnection bound = BoundConnection.find(dataSource)) {
            return bound != null;
        } catch (SQLException e) {
            throw OwnConnections.unavailable(e);
        }
    }

    /**
     * {@inheritDoc} Nothing is tried again: what the database has undone here is the caller's whole transaction. Where it works on
     * a snapshot (PostgreSQL and H2 from {@code REPEATABLE READ} upwards) that is older than the last renewal, the database
     * refuses the change, which is a {@code StoreUnavailableException}.
     */
    @Override
    public CompletionResult complete(RecordKey key, OwnerToken owner, Completion.Success success) {
        try (BoundConnection bound = BoundConnection.find(dataSource)) {
            if (bound == null) {
                throw new IllegalStateException(
                        "the calling thread has no transaction at the DataSource that idempotency"
                                + " records are kept in, or one that commits every statement by itself");
            }
            Completion.Success bounded = new Completion.Success(success.payload(), Micros.bounded(success.ttl()));
            return steps.on(bound.connection()).complete(bound.connection(), key, owner, bounded);
        } catch (SQLException e) {
            throw OwnConnections.unavailable(e);
        }
    }
}
