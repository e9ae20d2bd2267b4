// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.BreakerScope;
import dev.idempotency.breaker.Cooldown;
import dev.idempotency.breaker.RoutePolicy;
import dev.idempotency.breaker.SuspensionCause;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.memory.LocallyCachedStore;
import dev.idempotency.policy.OnDuplicate;
import dev.idempotency.store.Lookup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The breaker of a bizType, seen by two coordinators on one store. */
class RoutesTest {

    private static final Duration COOLDOWN = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofHours(1);

    private final Calls calls = new Calls();
    private final Heard heard = new Heard();
    private final FaultyStore store = new FaultyStore(new InMemoryIdempotencyStore(10_000_000));
    private final InMemoryDeadLetterQueue letters = new InMemoryDeadLetterQueue();
    private final IdempotencyCoordinator here =
            new IdempotencyCoordinator(new LocallyCachedStore(store, 1 << 20), letters, List.of(heard));
    private final IdempotencyCoordinator elsewhere = new IdempotencyCoordinator(store, letters, List.of());

    RoutesTest() {
        calls.breaker = BreakerPolicy.OFF;
        calls.routeBreaker = failures(2, LONG);
    }

    @AfterEach
    void close() {
        here.close();
        elsewhere.close();
    }

    private static RoutePolicy failures(int failures, Duration cooldown) {
        return new RoutePolicy(failures, 0, 1, 0, LONG, new Cooldown(cooldown, 2, LONG), 1);
    }

    private Execution run(IdempotencyCoordinator coordinator, String key) {
        Decision decision = coordinator.begin(calls.call(key));
        assertThat(decision).isInstanceOf(Decision.Run.class);
        return ((Decision.Run) decision).execution();
    }

    private void fail(IdempotencyCoordinator coordinator, String key) {
        run(coordinator, key).fail(new IllegalStateException("no stock"), 500);
    }

    /** Fails so often that all is suspended. */
    private void suspend() {
        fail(here, "F1");
        fail(elsewhere, "F2");
        await().until(() -> isSuspended(here));
        await().until(() -> isSuspended(elsewhere));
    }

    private boolean isSuspended(IdempotencyCoordinator coordinator) {
        Decision decision = coordinator.begin(calls.call("asks"));
        if (decision instanceof Decision.Run run) {
            run.execution().release();
            return false;
        }
        return decision instanceof Decision.CoolingDown cooling && cooling.scope() == BreakerScope.ROUTE;
    }

    /** The next call that runs although all had been suspended. */
    private Execution trial(String key) {
        Decision.Run run = (Decision.Run)
                await().until(() -> here.begin(calls.call(key)), decision -> decision instanceof Decision.Run);
        return run.execution();
    }

    @Test
    void itIsOffUnlessSaidOtherwiseAndThenAsksNothing() {
        calls.routeBreaker = RoutePolicy.OFF;
        for (int i = 0; i < 20; i++) {
            fail(here, "F" + i);
        }
        run(here, "K").complete(Calls.CREATED);
        assertThat(here.begin(calls.call("K"))).isInstanceOf(Decision.Replay.class);
        assertThat(store.routeSteps).hasValue(0);
        assertThat(here.routes().suspended()).isEmpty();
    }

    @Test
    void callsThatGoWellAskTheStoreNothingMore() {
        run(here, "first").complete(Calls.CREATED);
        int before = store.claims.get() + store.completions.get();
        for (int i = 0; i < 500; i++) {
            run(here, "K" + i).complete(Calls.CREATED);
        }
        assertThat(store.claims.get() + store.completions.get()).isEqualTo(before + 1_000);
        // At its first call, and once a second.
        assertThat(store.routeSteps.get()).isLessThan(500);
    }

    @Test
    void failuresOnAnyInstanceSuspendAllOperationsOnAll() {
        suspend();

        for (IdempotencyCoordinator coordinator : List.of(here, elsewhere)) {
            Decision.CoolingDown refused = (Decision.CoolingDown) coordinator.begin(calls.call("K"));
            assertThat(refused.retryAfter()).isBetween(Duration.ofMinutes(50), LONG);
        }
        assertThat(store.find(Calls.key("K"))).isInstanceOf(Lookup.Absent.class);
        assertThat(here.routes().suspended()).singleElement().satisfies(route -> {
            assertThat(route.bizType()).isEqualTo("order");
            assertThat(route.suspension().cause()).isEqualTo(SuspensionCause.FAILURES);
            assertThat(route.remaining()).isPositive();
        });
    }

    @Test
    void whatIsDoneIsReplayedAndOtherContentRefusedWhileItIsSuspended() {
        run(here, "done").complete(Calls.CREATED);
        Execution running = run(here, "running");
        suspend();

        for (IdempotencyCoordinator coordinator : List.of(here, elsewhere)) {
            assertThat(coordinator.begin(calls.call("done"))).isInstanceOf(Decision.Replay.class);
            assertThat(coordinator.begin(calls.call("done", "other"))).isInstanceOf(Decision.KeyReused.class);
            assertThat(coordinator.begin(calls.call("F1", "other"))).isInstanceOf(Decision.KeyReused.class);
            assertThat(coordinator.begin(calls.call("running"))).isInstanceOf(Decision.InProgress.class);
        }
        assertThat(running.complete(Calls.CREATED)).isEqualTo(Ending.RECORDED);
        assertThat(elsewhere.begin(calls.call("running"))).isInstanceOf(Decision.Replay.class);
        assertThat(isSuspended(elsewhere)).isTrue();
    }

    @Test
    void whoWaitsForARunningCallGetsItsAnswerWhileItIsSuspended() throws Exception {
        calls.onDuplicate = OnDuplicate.WAIT;
        Execution running = run(here, "running");
        suspend();
        Thread ends = new Thread(() -> running.complete(Calls.CREATED));
        ends.start();
        assertThat(elsewhere.begin(calls.call("running"))).isInstanceOf(Decision.Replay.class);
        ends.join();
    }

    @Test
    void oneOpeningIsOneLetterAndItsRepeatsAreCounted() {
        suspend();
        elsewhere.begin(calls.call("F2"));
        here.begin(calls.call("F2"));
        here.begin(calls.call("F1"));

        assertThat(Letters.of(letters)).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(DeadLetterReason.ROUTE_SUSPENDED);
            assertThat(letter.key()).isEqualTo(Calls.key("F2"));
            assertThat(letter.occurrences()).isEqualTo(3);
            assertThat(letter.failure()).contains("no stock");
        });
    }

    @Test
    void anOpeningWhoseReplyWasLostHasItsLetterWithTheNextRepeat() {
        fail(here, "F1");
        store.beforeReplace = () -> store.onRoutes = FaultyStore.Fault.REPLY_LOST;
        fail(here, "F2");
        store.beforeReplace = () -> {};
        store.onRoutes = FaultyStore.Fault.NONE;
        assertThat(Letters.of(letters)).isEmpty();
        await().until(() -> isSuspended(here));

        here.begin(calls.call("F2"));

        assertThat(Letters.of(letters))
                .singleElement()
                .satisfies(letter -> assertThat(letter.key()).isEqualTo(Calls.key("F2")));
    }

    @Test
    void refusedReleasedAndReplayedCallsCountAsNothing() {
        run(here, "done").complete(Calls.CREATED);
        fail(here, "F1");
        for (int i = 0; i < 20; i++) {
            here.begin(calls.call("done"));
            here.begin(calls.call("done", "other"));
            run(here, "invalid" + i).release();
            here.begin(calls.call("F1", "other"));
        }
        fail(here, "F1");
        assertThat(isSuspended(here)).isFalse();
    }

    @Test
    void oneKeyThatFailsAgainAndAgainSuspendsAll() {
        calls.routeBreaker = new RoutePolicy(0, 0, 1, 3, LONG, Cooldown.of(LONG), 1);
        for (int attempt = 1; attempt <= 4; attempt++) {
            fail(attempt % 2 == 0 ? here : elsewhere, "same");
            assertThat(isSuspended(here)).isFalse();
        }
        fail(here, "same");
        assertThat(isSuspended(here)).isTrue();
        assertThat(heard.events()).contains("route suspended repeats PT1H");
    }

    @Test
    void oneKeyThatSucceedsInTheEndSuspendsNothing() {
        calls.routeBreaker = new RoutePolicy(0, 0, 1, 3, LONG, Cooldown.of(LONG), 1);
        for (int attempt = 1; attempt <= 4; attempt++) {
            fail(here, "same");
        }
        run(here, "same").complete(Calls.CREATED);
        for (int i = 0; i < 20; i++) {
            here.begin(calls.call("same"));
        }
        assertThat(isSuspended(here)).isFalse();
    }

    @Test
    void aRateIsThatOfAllInstances() {
        calls.routeBreaker = new RoutePolicy(0, 50, 8, 0, LONG, Cooldown.of(LONG), 1);
        for (int i = 0; i < 4; i++) {
            run(here, "here" + i).complete(Calls.CREATED);
            run(elsewhere, "elsewhere" + i).complete(Calls.CREATED);
        }
        // Each tells the store of its successes within a second, or with its next failure.
        for (int i = 0; i < 7; i++) {
            fail(i % 2 == 0 ? here : elsewhere, "F" + i);
            assertThat(heard.events()).noneMatch(event -> event.startsWith("route suspended"));
        }
        fail(here, "F7");
        assertThat(heard.events()).contains("route suspended failure-rate PT1H");
    }

    @Test
    void oneTrialRunsAfterTheSuspensionAndItsSuccessEndsIt() {
        calls.routeBreaker = failures(2, COOLDOWN);
        fail(here, "F1");
        fail(here, "F2");
        Execution trial = trial("T1");

        assertThat(elsewhere.begin(calls.call("K"))).isInstanceOf(Decision.CoolingDown.class);
        assertThat(here.begin(calls.call("K"))).isInstanceOf(Decision.CoolingDown.class);
        trial.complete(Calls.CREATED);

        assertThat(isSuspended(here)).isFalse();
        await().until(() -> !isSuspended(elsewhere));
        assertThat(heard.events()).contains("route suspended failures PT0.3S", "route resumed by trial");
        fail(here, "F3");
        assertThat(isSuspended(here)).as("what was before is forgotten").isFalse();
    }

    @Test
    void aTrialThatFailsSuspendsForLongerAndIsAnotherLetter() {
        calls.routeBreaker = failures(2, COOLDOWN);
        fail(here, "F1");
        fail(here, "F2");
        trial("T1").fail(null, 503);

        assertThat(isSuspended(here)).isTrue();
        assertThat(heard.events()).contains("route suspended trial-failed PT0.6S");
        assertThat(Letters.of(letters))
                .extracting(Letters.Letter::key)
                .containsExactly(Calls.key("T1"), Calls.key("F2"));
    }

    @Test
    void aTrialThatLeavesNothingMakesRoomForTheNext() {
        calls.routeBreaker = failures(2, COOLDOWN);
        fail(here, "F1");
        fail(here, "F2");
        trial("T1").release();
        trial("T2").complete(Calls.CREATED);
        assertThat(isSuspended(here)).isFalse();
    }

    @Test
    void aTrialWhoseOwnerDiesIsFollowedByAnotherEvenOfTheSameOperation() {
        calls.lease = Duration.ofMillis(500);
        calls.routeBreaker = failures(2, COOLDOWN);
        fail(here, "F1");
        fail(here, "F2");
        store.onRenew = FaultyStore.Fault.SILENT;
        IdempotencyCoordinator dying = new IdempotencyCoordinator(store, letters, List.of());
        await().until(() -> dying.begin(calls.call("T1")) instanceof Decision.Run);
        dying.close();
        store.onRenew = FaultyStore.Fault.NONE;

        trial("T1").complete(Calls.CREATED);

        assertThat(isSuspended(here)).isFalse();
    }

    @Test
    void aSilentStoreChangesNoAnswer() {
        run(here, "first").complete(Calls.CREATED);
        store.onRoutes = FaultyStore.Fault.SILENT;
        for (int i = 0; i < 5; i++) {
            assertThat(run(here, "F" + i).fail(null, 500)).isEqualTo(Ending.RECORDED);
        }
        store.onRoutes = FaultyStore.Fault.NONE;
        assertThat(isSuspended(here)).isFalse();
    }

    @Test
    void whoFailsBehindAStepThatHangsDoesNotHangWithIt() {
        Execution hanging = run(here, "F1");
        Execution next = run(here, "F2");
        CompletableFuture<Void> reached = new CompletableFuture<>();
        CompletableFuture<Void> answer = new CompletableFuture<>();
        store.beforeReplace = () -> {
            reached.complete(null);
            answer.join();
        };
        CompletableFuture<Ending> hangs = CompletableFuture.supplyAsync(() -> hanging.fail(null, 500));
        reached.join();

        CompletableFuture<Ending> ended = CompletableFuture.supplyAsync(() -> next.fail(null, 500));
        try {
            await().until(ended::isDone);
        } finally {
            answer.complete(null);
        }

        assertThat(ended).isCompletedWithValue(Ending.RECORDED);
        assertThat(hangs.join()).isEqualTo(Ending.RECORDED);
    }

    @Test
    void anInstanceThatStartsLaterKnowsAtItsFirstCall() {
        suspend();
        try (IdempotencyCoordinator late = new IdempotencyCoordinator(store, letters, List.of())) {
            assertThat(late.begin(calls.call("K"))).isInstanceOf(Decision.CoolingDown.class);
        }
    }

    @Test
    void anOperatorResumesForAllInstances() {
        suspend();

        assertThat(elsewhere.routes().resume("order")).isTrue();

        assertThat(isSuspended(elsewhere)).isFalse();
        await().until(() -> !isSuspended(here));
        assertThat(elsewhere.routes().resume("order")).isFalse();
        assertThat(here.routes().suspended()).isEmpty();
        fail(here, "F3");
        assertThat(isSuspended(here)).isFalse();
    }

    @Test
    void aRedriveRunsWhileItIsSuspended() {
        suspend();
        IdempotentRequest call = calls.call("F2");
        long version = Letters.of(letters).get(0).version();
        Decision redriven = here.begin(new IdempotentRequest(
                call.key(), call.fingerprint(), call.policy(), "test", null, call.snapshot(), version));
        assertThat(redriven).isInstanceOf(Decision.Run.class);
        ((Decision.Run) redriven).execution().complete(Calls.CREATED);
        assertThat(isSuspended(here)).as("it was no trial").isTrue();
    }
}
