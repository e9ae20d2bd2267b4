// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.breaker.RoutePolicy;
import dev.idempotency.breaker.RouteState;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RouteStates;
import dev.idempotency.store.StoreUnavailableException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One bizType as this instance knows it. Its steps are taken one after the other here, against those of other instances. */
final class Route {

    private static final Logger log = LoggerFactory.getLogger(Route.class);

    /** Each round is lost to a step of another instance that was not lost. */
    private static final int MAX_ROUNDS = 100;

    /** Callers that queue behind a store which answers late give up rather than wait for one another's time-outs. */
    private static final long MAX_TURN_MILLIS = 1_000;

    private static final RouteView UNKNOWN = RouteView.of(RouteState.CLOSED, Instant.EPOCH, System.nanoTime());

    private final String bizType;
    private final RoutePolicy policy;
    private final RouteStates states;
    private final ReentrantLock steps = new ReentrantLock();

    /** Operations that succeeded and are not in the store yet. */
    private final LongAdder successes = new LongAdder();

    private volatile RouteView view = UNKNOWN;

    Route(String bizType, RoutePolicy policy, RouteStates states) {
        this.bizType = bizType;
        this.policy = policy;
        this.states = states;
    }

    RoutePolicy policy() {
        return policy;
    }

    RouteView view() {
        return view;
    }

    void succeeded() {
        if (policy.failureRate() > 0) {
            successes.increment();
        }
    }

    /**
     * Takes a step at the state that all instances share.
     *
     * @param transition what becomes of the state at the store's time; may be tried more than once
     * @return the state afterwards
     * @throws StoreUnavailableException if the store gave no answer, and nobody knows whether the step was taken
     */
    RouteState change(BiFunction<RouteState, Instant, RouteState> transition) {
        awaitTurn();
        try {
            for (int round = 0; round < MAX_ROUNDS; round++) {
                long askedNanos = System.nanoTime();
                RouteState changed = tryTo(states.read(), askedNanos, transition);
                if (changed != null) {
                    return changed;
                }
            }
        } finally {
            steps.unlock();
        }
        throw new StoreUnavailableException("the route of " + bizType + " was changed by others all the time", null);
    }

    private void awaitTurn() {
        try {
            if (steps.tryLock(MAX_TURN_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted before a step at the route of " + bizType, e);
        }
        throw new StoreUnavailableException("earlier steps at the route of " + bizType + " take too long", null);
    }

    /** Takes note of what the store says, and tells it what has succeeded here since. */
    void refresh(RouteStates.Seen seen, long askedNanos) {
        if (steps.tryLock()) { // or else somebody asks just now
            try {
                if (askedNanos - view.askedNanos() > 0) {
                    tryTo(seen, askedNanos, (state, now) -> state);
                }
            } finally {
                steps.unlock();
            }
        }
    }

    private @Nullable RouteState tryTo(
            RouteStates.Seen seen, long askedNanos, BiFunction<RouteState, Instant, RouteState> transition) {
        Payload stored = seen.of(bizType);
        RouteState before = read(stored);
        long succeeded = successes.sumThenReset();
        boolean told = false;
        try {
            RouteState after = transition.apply(before.succeeded(policy, succeeded, seen.now()), seen.now());
            if (!after.equals(before) && !states.replace(bizType, stored, written(after))) {
                return null;
            }
            told = true;
            view = RouteView.of(after, seen.now(), askedNanos);
            return after;
        } finally {
            if (!told) {
                successes.add(succeeded);
            }
        }
    }

    private RouteState read(Payload stored) {
        RouteState state = stored.size() == 0 ? RouteState.CLOSED : RouteState.decode(stored.bytes());
        if (state == null) {
            log.warn("How the route of {} stands cannot be read; it counts as closed.", bizType);
            return RouteState.CLOSED;
        }
        return state;
    }

    private static Payload written(RouteState state) {
        return state.equals(RouteState.CLOSED) ? Payload.EMPTY : Payload.of(state.encode());
    }
}
