// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.event.Answer;
import dev.idempotency.event.AttemptEnd;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.event.IdempotencyListeners;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.policy.OnCompleted;
import dev.idempotency.policy.OnDuplicate;
import dev.idempotency.policy.StoreFailure;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.ClaimResult.Claimed;
import dev.idempotency.store.ClaimResult.InProgress;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.CompletionResult.Applied;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.RecordContent;
import dev.idempotency.store.StoreUnavailableException;
import dev.idempotency.store.UnreadableContentException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what becomes of every call, whatever way it arrives: the owner of the state machine and the only caller of the
 * store. It knows nothing of HTTP; an access layer turns a call into an {@link IdempotentRequest} and renders the
 * {@link Decision}.
 *
 * <p>Leases are renewed by one background thread for all executions. May be used from any thread; {@link #close} stops the
 * background thread and leaves the store open.
 */
public final class IdempotencyCoordinator implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(IdempotencyCoordinator.class);
    private static final Duration MIN_RETRY_AFTER = Duration.ofSeconds(1);

    private final IdempotencyStore store;
    private final DeadLetterOffice deadLetters;
    private final IdempotencyListeners listeners;
    private final LeaseKeeper leases = new LeaseKeeper(this);

    public IdempotencyCoordinator(
            IdempotencyStore store, DeadLetterQueue deadLetters, List<IdempotencyListener> listeners) {
        this.store = store;
        this.deadLetters = new DeadLetterOffice(deadLetters);
        this.listeners = new IdempotencyListeners(listeners);
    }

    /**
     * Claims the operation for this call, or says what else to do with it. Under {@link OnDuplicate#WAIT} it returns
     * only when the running call has ended or the wait time-out is over; otherwise after one answer of the store.
     *
     * @return what to do; a {@link Decision.Run} must be ended by the caller
     */
    public Decision begin(IdempotentRequest request) {
        Patience patience = new Patience(request, leases);
        while (true) {
            OwnerToken owner = OwnerToken.random();
            long sentNanos = System.nanoTime();
            Claim claim = claim(request, owner);
            ClaimResult result;
            try {
                result = store.claim(claim);
            } catch (StoreUnavailableException e) {
                return storeUnavailable(request, new LateRelease(claim, sentNanos), e);
            } catch (RuntimeException e) {
                return storeUnavailable(
                        request,
                        new LateRelease(claim, sentNanos),
                        new StoreUnavailableException("the store failed in a way that it does not know itself", e));
            }
            if (result instanceof Claimed claimed) {
                return run(request, owner, claimed, sentNanos);
            }
            if (!(result instanceof InProgress) || !patience.waitForEnd()) {
                return answer(request, result);
            }
        }
    }

    private static Claim claim(IdempotentRequest request, OwnerToken owner) {
        IdempotencyPolicy policy = request.policy();
        return new Claim(
                request.key(),
                owner,
                request.fingerprint(),
                policy.lease(),
                policy.ttl(),
                policy.onOrphan(),
                new RecordContent.Started(request.traceId()).encode());
    }

    private Decision run(IdempotentRequest request, OwnerToken owner, Claimed claimed, long sentNanos) {
        Execution execution = new Execution(this, request, owner, claimed.version(), claimed.attempts(), sentNanos);
        leases.keep(execution);
        tell(listener -> listener.claimed(request.operation(), claimed.attempts(), claimed.previous()));
        return new Decision.Run(execution);
    }

    private Decision answer(IdempotentRequest request, ClaimResult result) {
        if (result instanceof ClaimResult.Completed completed) {
            return completed(request, completed.found());
        }
        if (result instanceof InProgress inProgress) {
            return answered(request, Answer.IN_PROGRESS, new Decision.InProgress(retryAfter(inProgress)));
        }
        if (result instanceof ClaimResult.KeyReused) {
            return answered(request, Answer.KEY_REUSED, new Decision.KeyReused());
        }
        if (result instanceof ClaimResult.CoolingDown cooling) {
            deadLetters.park(DeadLetterReason.BREAKER_OPENED, request, cooling.found());
            return answered(request, Answer.COOLING_DOWN, new Decision.CoolingDown(cooling.remaining()));
        }
        if (result instanceof ClaimResult.OutcomeUnknown unknown) {
            deadLetters.park(DeadLetterReason.OUTCOME_UNKNOWN, request, unknown.found());
            return answered(request, Answer.OUTCOME_UNKNOWN, new Decision.OutcomeUnknown());
        }
        log.warn("The record of {} cannot be read; the operation is not run again.", request.key());
        return resultUnavailable(request);
    }

    private Decision completed(IdempotentRequest request, IdempotencyRecord found) {
        if (request.policy().onCompleted() == OnCompleted.CONFLICT) {
            return answered(request, Answer.ALREADY_PROCESSED, new Decision.AlreadyProcessed(found));
        }
        try {
            if (RecordContent.decode(found.payload()) instanceof RecordContent.Answer answer) {
                return answered(request, Answer.REPLAYED, new Decision.Replay(answer.response(), answer.traceId()));
            }
        } catch (UnreadableContentException e) {
            log.warn("The answer of {} cannot be read; the operation is not run again.", request.key(), e);
        }
        return resultUnavailable(request);
    }

    private Decision resultUnavailable(IdempotentRequest request) {
        return answered(request, Answer.RESULT_UNAVAILABLE, new Decision.ResultUnavailable());
    }

    /** As long as the running call has taken so far, but neither less than a second nor more than its lease. */
    private static Duration retryAfter(InProgress inProgress) {
        Duration remaining = inProgress.remaining();
        Duration soFar = Duration.between(
                inProgress.found().updatedAt(), inProgress.found().leaseEnd().minus(remaining));
        Duration atMost = soFar.compareTo(remaining) < 0 ? soFar : remaining;
        return atMost.compareTo(MIN_RETRY_AFTER) < 0 ? MIN_RETRY_AFTER : atMost;
    }

    private Decision answered(IdempotentRequest request, Answer answer, Decision decision) {
        tell(listener -> listener.answered(request.operation(), answer));
        return decision;
    }

    private Decision storeUnavailable(IdempotentRequest request, LateRelease release, StoreUnavailableException cause) {
        leases.writeLater(release);
        if (request.policy().storeFailure() == StoreFailure.OPEN) {
            log.warn("The store gave no answer; {} runs unprotected.", request.key(), cause);
            tell(listener -> listener.ranUnprotected(request.operation()));
            return new Decision.RunUnprotected(cause);
        }
        log.warn("The store gave no answer; {} is refused.", request.key(), cause);
        return answered(request, Answer.STORE_UNAVAILABLE, new Decision.StoreUnavailable(cause));
    }

    /** Writes an owner's end; the lease is kept while the store is asked. */
    Ending end(Execution execution, AttemptEnd end, Completion completion) {
        try {
            return write(execution, end, completion);
        } catch (RuntimeException e) { // whatever a store throws, the operation is over and its caller gets its answer
            log.warn("The store did not take the end of {}; it is written later.", execution.key(), e);
            tell(listener -> listener.completionDelayed(execution.request().operation(), end));
            leases.writeLater(new DelayedEnd(execution, end, completion));
            return Ending.DELAYED;
        } finally {
            leases.forget(execution);
        }
    }

    private Ending write(Execution execution, AttemptEnd end, Completion completion) {
        CompletionResult result = store.complete(execution.key(), execution.owner(), completion);
        if (result instanceof Applied applied) {
            ended(execution, end);
            if (!applied.cooldown().isZero()) {
                breakerOpened(execution, completion, applied);
            }
            return Ending.RECORDED;
        }
        log.warn(
                "{} was ended ({}) by an owner that had lost its claim; the record is unchanged.",
                execution.key(),
                end);
        tell(listener -> listener.staleCompletion(execution.request().operation(), end, execution.duration()));
        if (end != AttemptEnd.RELEASED) {
            deadLetters.park(DeadLetterReason.STALE_COMPLETION, execution, execution.version(), completion);
        }
        return Ending.STALE;
    }

    private void ended(Execution execution, AttemptEnd end) {
        tell(listener -> listener.ended(execution.request().operation(), end, execution.duration()));
    }

    private void breakerOpened(Execution execution, Completion completion, Applied applied) {
        log.warn(
                "{} failed too often and cools down for {} s; the request is a dead letter.",
                execution.key(),
                applied.cooldown().toSeconds());
        deadLetters.park(DeadLetterReason.BREAKER_OPENED, execution, applied.version(), completion);
        tell(listener -> listener.breakerOpened(execution.request().operation(), applied.cooldown()));
    }

    boolean renew(Execution execution) {
        IdempotencyPolicy policy = execution.request().policy();
        long sentNanos = System.nanoTime();
        boolean renewed = store.renew(execution.key(), execution.owner(), policy.lease(), policy.ttl());
        if (renewed) {
            execution.leaseRenewed(sentNanos);
        }
        return renewed;
    }

    void leaseLost(Execution execution) {
        if (!execution.isEnded()) {
            log.warn("The lease of {} was lost while it ran; another call may take it over.", execution.key());
            tell(listener -> listener.leaseLost(execution.request().operation()));
        }
        execution.wakeWaiters();
    }

    private void tell(Consumer<IdempotencyListener> event) {
        listeners.tell(event);
    }

    @Override
    public void close() {
        leases.close();
    }

    /** An end that the store did not take at first. */
    private final class DelayedEnd implements LeaseKeeper.LateWrite {

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
                ended(execution, end);
            } else {
                IdempotencyCoordinator.this.write(execution, end, completion);
            }
        }

        @Override
        public void giveUp() {
            log.error("The end of {} ({}) was never written; repeats will meet an orphan.", execution.key(), end);
            tell(listener -> listener.completionLost(execution.request().operation(), end));
        }
    }

    /**
     * A claim that nobody works on but that may be in the store, because the reply to it never came: repeats must not
     * have to wait for its lease. Holds nothing of the request, as there may be thousands while the store is silent.
     */
    private final class LateRelease implements LeaseKeeper.LateWrite {

        private final RecordKey key;
        private final OwnerToken owner;
        private final long leaseNanos;
        private final long sentNanos;

        LateRelease(Claim claim, long sentNanos) {
            this.key = claim.key();
            this.owner = claim.owner();
            this.leaseNanos = claim.lease().toNanos();
            this.sentNanos = sentNanos;
        }

        @Override
        public RecordKey key() {
            return key;
        }

        @Override
        public long leaseLeftNanos() {
            return leaseNanos - (System.nanoTime() - sentNanos);
        }

        @Override
        public boolean isDispensable() {
            return true;
        }

        @Override
        public void write() {
            store.complete(key, owner, new Completion.Release());
        }

        @Override
        public void giveUp() {
            log.debug("A claim of {} that may have been made ends with its lease.", key);
        }
    }
}
