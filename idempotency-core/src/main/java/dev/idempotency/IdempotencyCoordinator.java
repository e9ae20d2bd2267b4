// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.breaker.BreakerScope;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.event.Answer;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.event.IdempotencyListeners;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.OnCompleted;
import dev.idempotency.policy.OnDuplicate;
import dev.idempotency.policy.StoreFailure;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.ClaimResult.Claimed;
import dev.idempotency.store.ClaimResult.InProgress;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.RecordContent;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.StoreUnavailableException;
import dev.idempotency.store.UnreadableContentException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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

    /** Most calls that wait at the same time on one instance; further ones are refused as if they did not wait. */
    public static final int MAX_WAITERS = 64;

    private static final Duration MIN_RETRY_AFTER = Duration.ofSeconds(1);

    private final IdempotencyStore store;
    private final DeadLetterOffice deadLetters;
    private final Routes routes;
    private final IdempotencyListeners listeners;
    private final StoreOutage outage = new StoreOutage();
    private final Ownership ownership;
    private final LeaseKeeper leases;
    private final Semaphore waitingPlaces = new Semaphore(MAX_WAITERS);
    private final Claims claims;

    public IdempotencyCoordinator(
            IdempotencyStore store, DeadLetterQueue deadLetters, List<IdempotencyListener> listeners) {
        this.store = store;
        this.listeners = new IdempotencyListeners(listeners);
        this.deadLetters = new DeadLetterOffice(deadLetters, store, this.listeners);
        this.routes = new Routes(store, this.deadLetters, this.listeners);
        this.ownership = new Ownership(store, this.deadLetters, routes, this.listeners, outage);
        this.leases = ownership.leases();
        this.claims = new Claims(store, ownership.lateWrites());
    }

    /**
     * Claims the operation for this call, or says what else to do with it. Under {@link OnDuplicate#WAIT} it returns
     * only when the running call has ended or the wait time-out is over, unless {@value #MAX_WAITERS} calls wait
     * already; otherwise after one answer of the store at most.
     *
     * @return what to do; a {@link Decision.Run} must be ended by the caller
     */
    public Decision begin(IdempotentRequest request) {
        try (Patience patience = new Patience(request, leases, store.endSignals(), waitingPlaces)) {
            while (true) {
                Execution here = heldHere(request.key());
                if (here != null && here.request().fingerprint().contradicts(request.fingerprint())) {
                    return keyReused(request);
                }
                if (here != null) {
                    if (!patience.waitForEnd()) {
                        Duration remaining = Duration.ofNanos(here.leaseLeftNanos());
                        return inProgress(request, here.duration(), remaining);
                    }
                    continue;
                }
                long trial = 0;
                if (routes.isBarred(request)) {
                    Lookup lookup = store.find(request.key());
                    Decision known = known(request, lookup);
                    if (known != null) {
                        return known;
                    }
                    if (isPending(lookup) && patience.waitForEnd()) {
                        continue;
                    }
                    trial = routes.tryTrial(request);
                    if (trial == 0 && routes.isBarred(request)) {
                        return barred(request, lookup);
                    }
                }
                Claims.Reply reply = claims.claim(request);
                if (reply.result() instanceof Claimed claimed) {
                    return run(request, reply, claimed, trial);
                }
                if (trial != 0) {
                    routes.giveBack(request, trial);
                }
                if (!(reply.result() instanceof InProgress) || !patience.waitForEnd()) {
                    return answer(request, reply.result());
                }
            }
        } catch (StoreUnavailableException e) {
            return storeUnavailable(request, e);
        }
    }

    /** The execution of this instance that surely owns the operation, which saves asking the store. */
    private @Nullable Execution heldHere(RecordKey key) {
        Execution running = leases.running(key);
        return running == null || running.isEnded() || running.leaseLeftNanos() <= 0 ? null : running;
    }

    /** What is answered without running, whatever holds for calls that would run; {@code null} if it may be one of those. */
    private @Nullable Decision known(IdempotentRequest request, Lookup lookup) {
        if (lookup instanceof Lookup.Unreadable) {
            return answer(request, new ClaimResult.Unreadable());
        }
        if (!(lookup instanceof Lookup.Found found)) {
            return null;
        }
        if (found.found().fingerprint().contradicts(request.fingerprint())) {
            return keyReused(request);
        }
        return found.found().status() == RecordStatus.SUCCESS ? completed(request, found.found()) : null;
    }

    /** Whether its owner has gone silent, only a claim could tell. */
    private static boolean isPending(Lookup lookup) {
        return lookup instanceof Lookup.Found found && found.found().status() == RecordStatus.PENDING;
    }

    private Decision barred(IdempotentRequest request, Lookup lookup) {
        if (isPending(lookup)) {
            return inProgress(request, MIN_RETRY_AFTER, MIN_RETRY_AFTER);
        }
        routes.refused(request, lookup);
        Duration remaining = routes.remaining(request);
        Duration retryAfter = remaining.compareTo(MIN_RETRY_AFTER) < 0 ? MIN_RETRY_AFTER : remaining;
        return answered(request, Answer.COOLING_DOWN, new Decision.CoolingDown(BreakerScope.ROUTE, retryAfter));
    }

    private Decision run(IdempotentRequest request, Claims.Reply reply, Claimed claimed, long trial) {
        Execution execution = new Execution(
                ownership,
                request,
                reply.claim().owner(),
                claimed.version(),
                claimed.attempts(),
                reply.sentNanos(),
                trial);
        leases.keep(execution);
        tell(listener -> listener.claimed(request.operation(), claimed.attempts(), claimed.previous()));
        return new Decision.Run(execution);
    }

    private Decision answer(IdempotentRequest request, ClaimResult result) {
        if (result instanceof ClaimResult.Completed completed) {
            return completed(request, completed.found());
        }
        if (result instanceof InProgress inProgress) {
            Duration remaining = inProgress.remaining();
            IdempotencyRecord found = inProgress.found();
            return inProgress(
                    request,
                    Duration.between(found.updatedAt(), found.leaseEnd().minus(remaining)),
                    remaining);
        }
        if (result instanceof ClaimResult.KeyReused) {
            return keyReused(request);
        }
        if (result instanceof ClaimResult.CoolingDown cooling) {
            deadLetters.park(DeadLetterReason.BREAKER_OPENED, request, cooling.found());
            return answered(
                    request,
                    Answer.COOLING_DOWN,
                    new Decision.CoolingDown(BreakerScope.OPERATION, cooling.remaining()));
        }
        if (result instanceof ClaimResult.OutcomeUnknown unknown) {
            log.warn(
                    "Attempt {} at {} broke off with an unknown outcome; the request is a dead letter for a person to decide.",
                    unknown.found().attempts(),
                    request.key());
            deadLetters.park(DeadLetterReason.OUTCOME_UNKNOWN, request, unknown.found());
            return answered(request, Answer.OUTCOME_UNKNOWN, new Decision.OutcomeUnknown());
        }
        log.warn("The record of {} cannot be read; the operation is not run again.", request.key());
        return resultUnavailable(request, false);
    }

    private Decision completed(IdempotentRequest request, IdempotencyRecord found) {
        if (request.policy().onCompleted() == OnCompleted.CONFLICT) {
            return answered(request, Answer.ALREADY_PROCESSED, new Decision.AlreadyProcessed(found));
        }
        try {
            if (RecordContent.decode(found.payload()) instanceof RecordContent.Answer answer) {
                tell(listener -> listener.replayed(request.operation(), answer.traceId()));
                return answered(request, Answer.REPLAYED, new Decision.Replay(answer.response(), answer.traceId()));
            }
        } catch (UnreadableContentException e) {
            log.warn("The answer of {} cannot be read; the operation is not run again.", request.key(), e);
        }
        return resultUnavailable(request, true);
    }

    private Decision resultUnavailable(IdempotentRequest request, boolean done) {
        return answered(request, Answer.RESULT_UNAVAILABLE, new Decision.ResultUnavailable(done));
    }

    /** Tells that an access layer could not give the answer of a {@link Decision.Replay}, as it does not understand it. */
    public void replayFailed(IdempotentRequest request) {
        resultUnavailable(request, true);
    }

    private Decision keyReused(IdempotentRequest request) {
        return answered(request, Answer.KEY_REUSED, new Decision.KeyReused());
    }

    /** To be tried again after as long as the running call has taken, but not less than a second nor more than its lease. */
    private Decision inProgress(IdempotentRequest request, Duration soFar, Duration remaining) {
        Duration atMost = soFar.compareTo(remaining) < 0 ? soFar : remaining;
        Duration retryAfter = atMost.compareTo(MIN_RETRY_AFTER) < 0 ? MIN_RETRY_AFTER : atMost;
        return answered(request, Answer.IN_PROGRESS, new Decision.InProgress(retryAfter));
    }

    private Decision answered(IdempotentRequest request, Answer answer, Decision decision) {
        tell(listener -> listener.answered(request.operation(), answer));
        return decision;
    }

    private Decision storeUnavailable(IdempotentRequest request, StoreUnavailableException cause) {
        outage.met(cause);
        if (request.policy().storeFailure() == StoreFailure.OPEN) {
            log.debug("The store gave no answer; {} runs unprotected.", request.key(), cause);
            tell(listener -> listener.ranUnprotected(request.operation()));
            return new Decision.RunUnprotected(cause);
        }
        log.debug("The store gave no answer; {} is refused.", request.key(), cause);
        return answered(request, Answer.STORE_UNAVAILABLE, new Decision.StoreUnavailable(cause));
    }

    private void tell(Consumer<IdempotencyListener> event) {
        listeners.tell(event);
    }

    /** The breakers of whole bizTypes. */
    public Routes routes() {
        return routes;
    }

    @Override
    public void close() {
        ownership.lateWrites().close();
        routes.close();
        leases.close();
        deadLetters.close();
    }
}
