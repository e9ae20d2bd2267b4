// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.breaker.RouteFailure;
import dev.idempotency.breaker.RoutePolicy;
import dev.idempotency.breaker.RouteState;
import dev.idempotency.breaker.SuspendedRoute;
import dev.idempotency.breaker.Suspension;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.event.AttemptEnd;
import dev.idempotency.event.IdempotencyListeners;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RouteStates;
import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The breakers of whole bizTypes. While none is switched on it asks nothing of the store and has no thread. Otherwise one
 * thread asks the store once a second how all of them stand, and calls go by what it knows: only failures, and trials after a
 * suspension, ask the store themselves.
 */
public final class Routes implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Routes.class);

    private static final long REFRESH_MILLIS = 1_000;

    private final Supplier<String> storeName;
    private final @Nullable RouteStates states;
    private final DeadLetterOffice deadLetters;
    private final IdempotencyListeners listeners;
    private final ConcurrentMap<String, Route> routes = new ConcurrentHashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable Thread refresher;

    Routes(IdempotencyStore store, DeadLetterOffice deadLetters, IdempotencyListeners listeners) {
        this.storeName = store::name;
        this.states = store.routeStates();
        this.deadLetters = deadLetters;
        this.listeners = listeners;
    }

    /**
     * All that are suspended or wait for a trial, as the store says now, by bizType.
     *
     * @throws StoreUnavailableException if the store gave no answer
     */
    public List<SuspendedRoute> suspended() {
        List<SuspendedRoute> suspended = new ArrayList<>();
        if (states != null) {
            RouteStates.Seen seen = states.read();
            for (Map.Entry<String, Payload> each : seen.states().entrySet()) {
                Suspension suspension = suspension(each.getValue());
                if (suspension != null) {
                    Duration left = Duration.between(seen.now(), suspension.until());
                    suspended.add(
                            new SuspendedRoute(each.getKey(), suspension, left.isNegative() ? Duration.ZERO : left));
                }
            }
        }
        suspended.sort(Comparator.comparing(SuspendedRoute::bizType));
        return suspended;
    }

    private static @Nullable Suspension suspension(Payload stored) {
        RouteState state = RouteState.decode(stored.bytes());
        return state == null ? null : state.suspension();
    }

    /**
     * Lifts a suspension, as an operator wishes: calls run again here at once, and elsewhere within a second or so. What
     * failed before is forgotten.
     *
     * @return whether there was one
     * @throws StoreUnavailableException if the store gave no answer; the suspension may or may not have been lifted
     */
    public boolean resume(String bizType) {
        if (states == null) {
            return false;
        }
        Route known = routes.get(bizType);
        Route route = known == null ? new Route(bizType, RoutePolicy.OFF, states) : known;
        boolean[] lifted = new boolean[1];
        route.change((state, now) -> {
            lifted[0] = state.suspension() != null;
            return lifted[0] ? RouteState.CLOSED : state;
        });
        if (lifted[0]) {
            log.info("{} is resumed by an operator.", bizType);
            listeners.tell(listener -> listener.routeResumed(bizType, true));
        }
        return lifted[0];
    }

    /** Whether calls like this one are refused unless they are trials, as far as this instance knows. */
    boolean isBarred(IdempotentRequest request) {
        return request.policy().routeBreaker().isOn()
                && request.redriveOf() == 0
                && route(request.policy()).view().isBarred();
    }

    /** How long calls like this one are refused at the least. */
    Duration remaining(IdempotentRequest request) {
        return route(request.policy()).view().remaining();
    }

    /**
     * Lets a call through as a trial.
     *
     * @return the trial's id, 0 if it is none: it must not run, unless it is no longer {@link #isBarred}
     * @throws StoreUnavailableException if the store gave no answer
     */
    long tryTrial(IdempotentRequest request) {
        Route route = route(request.policy());
        if (route.view().remaining().compareTo(Duration.ZERO) > 0) {
            return 0;
        }
        long id = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        Duration limit = request.policy().lease();
        RouteState after = route.change((state, now) -> state.tried(route.policy(), id, limit, now));
        return after.suspension() != null && after.suspension().hasTrial(id) ? id : 0;
    }

    /** The trial did not come to run. */
    void giveBack(IdempotentRequest request, long trial) {
        try {
            route(request.policy()).change((state, now) -> state.trialReturned(trial));
        } catch (StoreUnavailableException e) {
            log.debug("A trial of {} ends with its lease.", request.policy().bizType(), e);
        }
    }

    /** Parks the very request whose failure began the suspension, should whoever began it have died before. */
    void refused(IdempotentRequest request, Lookup lookup) {
        Suspension suspension = route(request.policy()).view().suspension();
        if (suspension != null
                && lookup instanceof Lookup.Found found
                && isOf(suspension, found.found().key().hex(), found.found().version())) {
            IdempotencyRecord failed = found.found();
            deadLetters.park(DeadLetterReason.ROUTE_SUSPENDED, request, failed);
        }
    }

    /**
     * Takes note of an attempt whose end is in its record. Whatever the store says to that, the attempt is over.
     *
     * @param version of the record since then
     */
    void ended(Execution execution, AttemptEnd end, long version) {
        IdempotencyPolicy policy = execution.request().policy();
        if (!policy.routeBreaker().isOn()) {
            return;
        }
        Route route = route(policy);
        try {
            switch (end) {
                case SUCCEEDED -> succeeded(route, execution);
                case FAILED -> failed(route, execution, version);
                case RELEASED -> {
                    if (execution.trial() != 0) {
                        route.change((state, now) -> state.trialReturned(execution.trial()));
                    }
                }
            }
        } catch (RuntimeException e) { // whatever a store throws
            log.debug("The route of {} was not told of an end.", policy.bizType(), e);
        }
    }

    private void succeeded(Route route, Execution execution) {
        if (execution.trial() == 0) {
            route.succeeded();
            return;
        }
        String bizType = execution.key().bizType();
        boolean[] lifted = new boolean[1];
        route.change((state, now) -> {
            RouteState after = state.trialSucceeded(execution.trial());
            lifted[0] = !after.equals(state);
            return after;
        });
        if (lifted[0]) {
            log.info("{} is resumed, as a trial succeeded.", bizType);
            listeners.tell(listener -> listener.routeResumed(bizType, false));
        }
    }

    private void failed(Route route, Execution execution, long version) {
        if (route.view().isBarred() && execution.trial() == 0) {
            return;
        }
        RouteFailure failure = new RouteFailure(execution.key(), version, execution.attempts(), execution.trial());
        RouteState after = route.change((state, now) -> state.failed(route.policy(), failure, now));
        Suspension suspension = after.suspension();
        if (suspension == null || !isOf(suspension, execution.key().hex(), version)) {
            return;
        }
        log.warn(
                "{} is suspended for {} s ({}), begun by {}; its request is a dead letter.",
                execution.key().bizType(),
                suspension.cooldown().toSeconds(),
                suspension.cause().code(),
                execution.key());
        deadLetters.park(DeadLetterReason.ROUTE_SUSPENDED, execution, version);
        listeners.tell(listener ->
                listener.routeSuspended(execution.request().operation(), suspension.cause(), suspension.cooldown()));
    }

    private static boolean isOf(Suspension suspension, String recordKey, long version) {
        return suspension.version() == version && suspension.recordKey().equals(recordKey);
    }

    private Route route(IdempotencyPolicy policy) {
        Route known = routes.get(policy.bizType());
        return known == null ? meet(policy) : known;
    }

    /** The first call of a bizType asks how it stands; what the store does not say now, it is asked in a second. */
    private Route meet(IdempotencyPolicy policy) {
        if (states == null) {
            throw new IllegalStateException("the store " + storeName.get() + " cannot share how routes stand");
        }
        Route met = new Route(policy.bizType(), policy.routeBreaker(), states);
        try {
            met.change((state, now) -> state);
        } catch (RuntimeException e) { // whatever a store throws
            log.debug("How the route of {} stands is not known yet.", policy.bizType(), e);
        }
        Route first = routes.putIfAbsent(policy.bizType(), met);
        startRefreshing();
        return first == null ? met : first;
    }

    private synchronized void startRefreshing() {
        if (refresher == null && closing.getCount() > 0) {
            refresher = new Thread(this::keepRefreshing, "idempotency-routes");
            refresher.setDaemon(true);
            refresher.start();
        }
    }

    private void keepRefreshing() {
        while (awaitNext()) {
            refresh();
        }
    }

    private boolean awaitNext() {
        try {
            return !closing.await(REFRESH_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void refresh() {
        if (states == null) {
            return;
        }
        try {
            long askedNanos = System.nanoTime();
            RouteStates.Seen seen = states.read();
            routes.values().forEach(route -> route.refresh(seen, askedNanos));
        } catch (RuntimeException e) { // whatever a store throws
            log.debug("How routes stand is not known anew.", e);
        }
    }

    /** Ends the thread; what the store knows stays. */
    @Override
    public void close() {
        closing.countDown();
    }
}
