// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.event.AttemptEnd;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.event.IdempotencyListeners;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.CompletionResult.Applied;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import dev.idempotency.store.TransactionParticipant;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of a claim once it is made: it is renewed, lost or ended. */
final class Ownership {

    private static final Logger log = LoggerFactory.getLogger(Ownership.class);

    private final IdempotencyStore store;
    private final DeadLetterOffice deadLetters;
    private final IdempotencyListeners listeners;
    private final Routes routes;
    private final StoreOutage outage;
    private final LeaseKeeper leases = new LeaseKeeper(this);
    private final LateWrites lateWrites = new LateWrites();

    Ownership(
            IdempotencyStore store,
            DeadLetterOffice deadLetters,
            Routes routes,
            IdempotencyListeners listeners,
            StoreOutage outage) {
        this.store = store;
        this.deadLetters = deadLetters;
        this.routes = routes;
        this.listeners = listeners;
        this.outage = outage;
    }

    LeaseKeeper leases() {
        return leases;
    }

    LateWrites lateWrites() {
        return lateWrites;
    }

    /** Writes an owner's end; the lease is kept while the store is asked. */
    Ending end(Execution execution, AttemptEnd end, Completion completion) {
        try {
            return write(execution, end, completion);
        } catch (RuntimeException e) { // whatever a store throws, the operation is over and its caller gets its answer
            log.debug("The store did not take the end of {}; it is written later.", execution.key(), e);
            outage.met(e);
            tell(listener -> listener.completionDelayed(execution.request().operation(), end));
            if (end != AttemptEnd.RELEASED) {
                execution.copyRequest();
            }
            lateWrites.add(new DelayedEnd(execution, end, completion));
            return Ending.DELAYED;
        } finally {
            leases.forget(execution);
        }
    }

    /**
     * Writes an owner's success in the transaction of the calling thread; until that is over nobody else reaches the record.
     *
     * @return whether the claim still held
     */
    boolean endInTransaction(Execution execution, Completion.Success success) {
        TransactionParticipant participant = store.transactionParticipant();
        if (participant == null) {
            throw new IllegalStateException("the store " + store.name() + " cannot take part in a transaction");
        }
        if (participant.complete(execution.key(), execution.owner(), success) instanceof Applied) {
            return true;
        }
        log.warn("{} was done by an owner that had lost its claim; its transaction is rolled back.", execution.key());
        leases.forget(execution);
        tellStale(execution, AttemptEnd.SUCCEEDED);
        return false;
    }

    void committed(Execution execution, AttemptEnd end) {
        leases.forget(execution);
        ended(execution, end, execution.version());
    }

    private Ending write(Execution execution, AttemptEnd end, Completion completion) {
        CompletionResult result = store.complete(execution.key(), execution.owner(), completion);
        if (result instanceof Applied applied) {
            told(execution, end);
            if (!applied.cooldown().isZero()) {
                breakerOpened(execution, applied);
            }
            routes.ended(execution, end, applied.version());
            return Ending.RECORDED;
        }
        if (end == AttemptEnd.FAILED && wasCommitted(execution)) {
            ended(execution, AttemptEnd.SUCCEEDED, execution.version());
            return Ending.RECORDED;
        }
        log.warn(
                "{} was ended ({}) by an owner that had lost its claim; the record is unchanged.",
                execution.key(),
                end);
        if (mayHaveHadEffect(execution, end)) {
            deadLetters.park(DeadLetterReason.STALE_COMPLETION, execution, execution.version());
        }
        tellStale(execution, end);
        return Ending.STALE;
    }

    /** Whether the transaction that its owner took for failed has been committed after all. */
    private boolean wasCommitted(Execution execution) {
        return isTransactional(execution)
                && store.find(execution.key()) instanceof Lookup.Found lookup
                && lookup.found().status() == RecordStatus.SUCCESS
                && lookup.found().owner().equals(execution.owner());
    }

    /** Whether it may have had an effect that its record does not tell of; a transaction leaves either both or none. */
    private static boolean mayHaveHadEffect(Execution execution, AttemptEnd end) {
        return end != AttemptEnd.RELEASED && !isTransactional(execution);
    }

    private static boolean isTransactional(Execution execution) {
        return execution.request().policy().transactional();
    }

    private void tellStale(Execution execution, AttemptEnd end) {
        tell(listener -> listener.staleCompletion(execution.request().operation(), end, execution.duration()));
    }

    private void ended(Execution execution, AttemptEnd end, long version) {
        told(execution, end);
        routes.ended(execution, end, version);
    }

    private void told(Execution execution, AttemptEnd end) {
        tell(listener -> listener.ended(execution.request().operation(), end, execution.duration()));
    }

    private void breakerOpened(Execution execution, Applied applied) {
        log.warn(
                "{} failed too often and cools down for {} s; the request is a dead letter.",
                execution.key(),
                applied.cooldown().toSeconds());
        deadLetters.park(DeadLetterReason.BREAKER_OPENED, execution, applied.version());
        tell(listener -> listener.breakerOpened(execution.request().operation(), applied.cooldown()));
    }

    List<RenewalResult> renew(List<Execution> executions) {
        List<Renewal> renewals = executions.stream().map(Execution::renewal).toList();
        long sentNanos = System.nanoTime();
        List<RenewalResult> results = store.renew(renewals);
        if (results.size() != renewals.size()) {
            throw new IllegalStateException("the store " + store.name() + " must give a result for each of "
                    + renewals.size() + " renewals, but gave " + results.size());
        }
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) == RenewalResult.RENEWED) {
                executions.get(i).leaseRenewed(sentNanos);
            }
        }
        return results;
    }

    /** A renewal may only have waited for the transaction that it is ended by; whether that was in time is found out there. */
    void leaseLost(Execution execution) {
        if (!execution.isEnded() && !execution.isInTransaction()) {
            log.warn("The lease of {} was lost while it ran; another call may take it over.", execution.key());
            tell(listener -> listener.leaseLost(execution.request().operation()));
        }
        execution.wakeWaiters();
    }

    private void tell(Consumer<IdempotencyListener> event) {
        listeners.tell(event);
    }

    /** An end that the store did not take at first. */
    private final class DelayedEnd implements LateWrites.LateWrite {

        private final Execution execution;
        private final AttemptEnd end;
        private final Completion completion;

        DelayedEnd(Execution execution, AttemptEnd end, Completion completion) {
            this.execution = execution;
            this.end = end;
            this.completion = completion;
        }

        @Override
        public RecordKey key() {
            return execution.key();
        }

        @Override
        public long leaseLeftNanos() {
            return execution.leaseLeftNanos();
        }

        @Override
        public boolean isDispensable() {
            return false;
        }

        @Override
        public void write() {
            if (end == AttemptEnd.RELEASED) {
                // No record is what it asked for: not stale if the first try was carried out after all.
                store.complete(execution.key(), execution.owner(), completion);
                ended(execution, end, execution.version());
            } else {
                Ownership.this.write(execution, end, completion);
            }
        }

        @Override
        public void giveUp() {
            log.error("The end of {} ({}) was never written; repeats will meet an orphan.", execution.key(), end);
            if (mayHaveHadEffect(execution, end)) {
                deadLetters.parkLater(DeadLetterReason.COMPLETION_LOST, execution, execution.version());
            }
            tell(listener -> listener.completionLost(execution.request().operation(), end));
        }
    }
}
