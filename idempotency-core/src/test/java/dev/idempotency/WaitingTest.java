// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.FaultyStore.Fault;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.memory.MovableClock;
import dev.idempotency.policy.OnDuplicate;
import dev.idempotency.store.ClaimResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingTest {

    private final MovableClock clock = new MovableClock();
    private final FaultyStore store = new FaultyStore(new InMemoryIdempotencyStore(1 << 24, clock));
    private final Heard heard = new Heard();
    private final Calls calls = new Calls();
    private final AtomicInteger inProgress = new AtomicInteger();
    private final IdempotencyCoordinator coordinator = coordinator();
    private final IdempotencyCoordinator elsewhere = coordinator();
    private final List<Thread> started = new ArrayList<>();

    private IdempotencyCoordinator coordinator() {
        return new IdempotencyCoordinator(store, new InMemoryDeadLetterQueue(), List.of(heard));
    }

    @BeforeEach
    void waiting() {
        calls.onDuplicate = OnDuplicate.WAIT;
        calls.waitTimeout = Duration.ofHours(1);
        store.claimed = result -> {
            if (result instanceof ClaimResult.InProgress) {
                inProgress.incrementAndGet();
            }
            return result;
        };
    }

    @AfterEach
    void close() {
        started.forEach(Thread::interrupt);
        coordinator.close();
        elsewhere.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fiftyWaitersGetTheFirstAnswer(boolean sameProcess) {
        Execution first = run(coordinator);
        List<Future<Decision>> waiters = waiters(50, sameProcess ? coordinator : elsewhere);
        first.complete(Calls.CREATED);
        for (Future<Decision> waiter : waiters) {
            assertThat(decision(waiter)).isEqualTo(new Decision.Replay(Calls.CREATED, "trace of content"));
        }
        assertThat(heard.events())
                .hasSize(52)
                .filteredOn("answered replayed"::equals)
                .hasSize(50);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void exactlyOneWaiterTakesOverWhenTheFirstFails(boolean sameProcess) {
        Execution first = run(coordinator);
        List<Future<Decision>> waiters = waiters(50, sameProcess ? coordinator : elsewhere);
        first.fail(null, 500);
        await().until(() -> waiters.stream().anyMatch(Future::isDone));
        Execution second = waiters.stream()
                .filter(Future::isDone)
                .map(WaitingTest::decision)
                .map(decision -> ((Decision.Run) decision).execution())
                .findFirst()
                .orElseThrow();
        assertThat(second.attempts()).isEqualTo(2);
        second.complete(Calls.CREATED);
        List<Decision> decisions = waiters.stream().map(WaitingTest::decision).toList();
        assertThat(decisions).filteredOn(Decision.Run.class::isInstance).hasSize(1);
        assertThat(decisions)
                .filteredOn(new Decision.Replay(Calls.CREATED, "trace of content")::equals)
                .hasSize(49);
    }

    @Test
    void aWaiterInTheSameProcessAsksTheStoreOnlyAfterTheEnd() {
        Execution first = run(coordinator);
        Future<Decision> waiter = waiters(1, coordinator).get(0);
        int asked = store.claims.get();
        assertThat(asked).isOne();
        // Something else takes as long as a waiter elsewhere needs to ask several times.
        calls.waitTimeout = Duration.ofMillis(300);
        assertThat(elsewhere.begin(calls.call("K1"))).isInstanceOf(Decision.InProgress.class);
        int askedElsewhere = store.claims.get() - asked;
        assertThat(askedElsewhere).isGreaterThan(2);
        first.complete(Calls.CREATED);
        assertThat(decision(waiter)).isInstanceOf(Decision.Replay.class);
        assertThat(store.claims).hasValue(asked + askedElsewhere + 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whenTheTimeIsOverAWaiterIsToldThatItIsInProgress(boolean sameProcess) {
        run(coordinator);
        calls.waitTimeout = Duration.ofMillis(200);
        heard.forget();
        long start = System.nanoTime();
        Decision decision = (sameProcess ? coordinator : elsewhere).begin(calls.call("K1"));
        assertThat(decision).isInstanceOf(Decision.InProgress.class);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(200_000_000);
        assertThat(heard.events()).containsExactly("answered in-progress");
    }

    @Test
    void aWaiterTakesOverAnOrphan() {
        run(coordinator);
        coordinator.close();
        Future<Decision> waiter = waiters(1, elsewhere).get(0);
        clock.move(calls.lease);
        assertThat(decision(waiter))
                .isInstanceOfSatisfying(
                        Decision.Run.class,
                        run -> assertThat(run.execution().attempts()).isEqualTo(2));
    }

    /** The owner of the lost lease may work on for hours. */
    @Test
    void aWaiterDoesNotWaitForAnOwnerThatHasLostItsLease() {
        calls.lease = Duration.ofMillis(300);
        run(coordinator);
        Future<Decision> waiter = waiters(1, coordinator).get(0);
        clock.move(calls.lease);
        assertThat(decision(waiter)).isInstanceOf(Decision.Run.class);
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "lease lost", "claimed 2 ORPHANED");
    }

    @Test
    void aWaiterGetsAnAnswerThatWasWrittenLate() {
        Execution first = run(coordinator);
        Future<Decision> waiter = waiters(1, coordinator).get(0);
        store.onComplete = Fault.SILENT;
        assertThat(first.complete(Calls.CREATED)).isEqualTo(Ending.DELAYED);
        int asked = inProgress.get();
        await().until(() -> inProgress.get() > asked);
        store.onComplete = Fault.NONE;
        assertThat(decision(waiter)).isInstanceOf(Decision.Replay.class);
    }

    @Test
    void aWaiterLeavesWhenTheStoreFallsSilent() {
        run(coordinator);
        Future<Decision> waiter = waiters(1, elsewhere).get(0);
        store.onClaim = Fault.SILENT;
        assertThat(decision(waiter)).isInstanceOf(Decision.StoreUnavailable.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptedWaiterLeavesWithItsFlagSet(boolean sameProcess) {
        run(coordinator);
        AtomicBoolean flag = new AtomicBoolean();
        FutureTask<Decision> waiter = new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            Decision decision = (sameProcess ? coordinator : elsewhere).begin(calls.call("K1"));
            flag.set(Thread.interrupted());
            return decision;
        });
        new Thread(waiter).start();
        assertThat(decision(waiter)).isInstanceOf(Decision.InProgress.class);
        assertThat(flag).isTrue();
    }

    /** Each holds a thread of the application's, which others need too. */
    @Test
    void noMoreThanSoManyWaitAtTheSameTime() {
        Execution first = run(coordinator);
        List<Future<Decision>> waiters = waiters(IdempotencyCoordinator.MAX_WAITERS, coordinator);
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.InProgress.class);
        first.complete(Calls.CREATED);
        waiters.forEach(waiter -> assertThat(decision(waiter)).isInstanceOf(Decision.Replay.class));

        Execution second = run(coordinator, "K2");
        assertThat(waiters(1, coordinator, "K2")).hasSize(1);
        second.complete(Calls.CREATED);
    }

    @Test
    void nobodyWaitsWithOtherContent() {
        run(coordinator);
        assertThat(coordinator.begin(calls.call("K1", "other"))).isEqualTo(new Decision.KeyReused());
    }

    private Execution run(IdempotencyCoordinator by) {
        return run(by, "K1");
    }

    private Execution run(IdempotencyCoordinator by, String key) {
        return ((Decision.Run) by.begin(calls.call(key))).execution();
    }

    /** Calls that all wait. */
    private List<Future<Decision>> waiters(int count, IdempotencyCoordinator at) {
        return waiters(count, at, "K1");
    }

    private List<Future<Decision>> waiters(int count, IdempotencyCoordinator at, String key) {
        started.clear();
        List<Future<Decision>> waiters = new ArrayList<>();
        IdempotentRequest repeat = calls.call(key);
        for (int i = 0; i < count; i++) {
            FutureTask<Decision> waiter = new FutureTask<>(() -> at.begin(repeat));
            started.add(new Thread(waiter));
            waiters.add(waiter);
        }
        for (Thread thread : started) {
            thread.start();
        }
        await().until(() -> started.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
        return waiters;
    }

    /** What the waiter was told, long before its patience is at an end. */
    private static Decision decision(Future<Decision> waiter) {
        await().pollDelay(Duration.ZERO).until(waiter::isDone);
        try {
            return waiter.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
