// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.FaultyStore.Fault;
import dev.idempotency.event.IdempotencyListeners;
import dev.idempotency.key.RecordKey;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.memory.MovableClock;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.RenewalResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Renewals happen in real time; the store's clock is moved by hand, so that no pause of the machine costs a lease. */
class LeaseKeeperTest {

    private static final Duration LEASE = Duration.ofMillis(150);

    private final Set<Thread> threadsBefore = keeperThreads();
    private final MovableClock clock = new MovableClock();
    private final InMemoryIdempotencyStore real = new InMemoryIdempotencyStore(1 << 26, clock);
    private final FaultyStore store = new FaultyStore(real);
    private final Heard heard = new Heard();
    private final Calls calls = new Calls();
    private final IdempotencyCoordinator coordinator =
            new IdempotencyCoordinator(store, new InMemoryDeadLetterQueue(), List.of(heard));

    @BeforeEach
    void shortLease() {
        calls.lease = LEASE;
    }

    @AfterEach
    void close() {
        coordinator.close();
    }

    @Test
    void theLeaseIsKeptHoweverLongTheOwnerWorks() {
        Execution execution = run("K1");
        Duration worked = Duration.ZERO;
        while (worked.compareTo(LEASE.multipliedBy(10)) < 0) {
            Duration step = LEASE.minusMillis(1);
            clock.move(step);
            worked = worked.plus(step);
            awaitRenewals("K1", 1);
        }
        assertThat(found("K1").version()).isEqualTo(execution.version());
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.InProgress.class);
        assertThat(execution.complete(Calls.CREATED)).isEqualTo(Ending.RECORDED);
    }

    @Test
    void theRecordOutlivesItsTtlWhileItsOwnerWorks() {
        calls.ttl = LEASE;
        Execution execution = run("K1");
        for (int i = 0; i < 5; i++) {
            clock.move(LEASE.minusMillis(1));
            awaitRenewals("K1", 1);
        }
        assertThat(execution.complete(Calls.CREATED)).isEqualTo(Ending.RECORDED);
    }

    @ParameterizedTest
    @EnumSource(names = {"SILENT", "REPLY_LOST", "BROKEN"})
    void aStoreThatIsSilentForAWhileCostsNoLease(Fault fault) {
        Execution execution = run("K1");
        store.onRenew = fault;
        awaitRenewals("K1", 3);
        store.onRenew = Fault.NONE;
        clock.move(LEASE.minusMillis(1));
        awaitRenewals("K1", 2);
        clock.move(LEASE.minusMillis(1));
        assertThat(execution.complete(Calls.CREATED)).isEqualTo(Ending.RECORDED);
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "ended SUCCEEDED");
    }

    @Test
    void anEndAfterMoreThanALeaseIsStillWrittenLater() {
        calls.lease = Duration.ofSeconds(2);
        long start = System.nanoTime();
        Execution execution = run("K1");
        await().until(() -> System.nanoTime() - start > calls.lease.toNanos());
        store.onComplete = Fault.SILENT;
        assertThat(execution.complete(Calls.CREATED)).isEqualTo(Ending.DELAYED);
        store.onComplete = Fault.NONE;
        await().until(() -> heard.events().size() == 3);
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "delayed SUCCEEDED", "ended SUCCEEDED");
    }

    @Test
    void aLostLeaseIsToldOnceAndNotRenewedAgain() {
        Execution execution = run("K1");
        store.onRenew = Fault.SILENT;
        awaitRenewals("K1", 1);
        clock.move(LEASE);
        store.onRenew = Fault.NONE;
        await().until(() -> heard.events().contains("lease lost"));
        int renewals = store.renewals(Calls.key("K1"));
        run("K2");
        awaitRenewals("K2", 4);
        assertThat(store.renewals(Calls.key("K1"))).isEqualTo(renewals);
        assertThat(execution.complete(Calls.CREATED)).isEqualTo(Ending.STALE);
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "lease lost", "claimed 1 NONE", "stale SUCCEEDED");
    }

    @Test
    void anOwnerThatIsOvertakenInItsOwnProcessIsToldOnceAndItsSuccessorIsKept() {
        store.onRenew = Fault.SILENT;
        Execution overtaken = run("K1");
        clock.move(LEASE);
        Decision taken = await().until(() -> coordinator.begin(calls.call("K1")), Decision.Run.class::isInstance);
        Execution second = ((Decision.Run) taken).execution();
        assertThat(heard.events())
                .filteredOn(event -> !event.equals("answered in-progress"))
                .containsExactly("claimed 1 NONE", "lease lost", "claimed 2 ORPHANED");
        store.onRenew = Fault.NONE;
        assertThat(overtaken.complete(Calls.CREATED)).isEqualTo(Ending.STALE);
        awaitRenewals("K1", 2);
        clock.move(LEASE.minusMillis(1));
        awaitRenewals("K1", 2);
        clock.move(LEASE.minusMillis(1));
        assertThat(second.complete(Calls.CREATED)).isEqualTo(Ending.RECORDED);
    }

    @Test
    void nothingIsRenewedAfterAnyEnd() {
        run("K1").complete(Calls.CREATED);
        run("K2").fail(null, 500);
        run("K3").release();
        store.onComplete = Fault.SILENT;
        run("K4").complete(Calls.CREATED);
        List<Integer> before = renewals("K1", "K2", "K3", "K4");
        run("running");
        awaitRenewals("running", 4);
        assertThat(renewals("K1", "K2", "K3", "K4")).isEqualTo(before);
        assertThat(heard.events()).doesNotContain("lease lost");
    }

    @Test
    void theLeaseIsKeptWhileTheStoreTakesItsTimeOverTheEnd() throws Exception {
        Execution execution = run("K1");
        CountDownLatch goOn = new CountDownLatch(1);
        store.beforeComplete = () -> awaitUninterrupted(goOn);
        Thread ending = new Thread(() -> execution.complete(Calls.CREATED));
        ending.start();
        await().until(() -> store.completions.get() == 1);
        awaitRenewals("K1", 2);
        goOn.countDown();
        ending.join();
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "ended SUCCEEDED");
    }

    @Test
    void aRenewalThatFindsTheEndAlreadyInTheRecordIsNoLostLease() throws Exception {
        Execution execution = run("K1");
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch written = new CountDownLatch(1);
        store.afterComplete = () -> {
            written.countDown();
            awaitUninterrupted(goOn);
        };
        Thread ending = new Thread(() -> execution.complete(Calls.CREATED));
        ending.start();
        written.await();
        run("K2");
        awaitRenewals("K2", 3);
        goOn.countDown();
        ending.join();
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "claimed 1 NONE", "ended SUCCEEDED");
    }

    /** A part of the store is down, such as a shard of a cluster, and every renewal there takes a fifth of a lease. */
    @Test
    void operationsWhoseRenewalFailsCostTheOthersNoLease() {
        int count = 10;
        Duration timeout = LEASE.dividedBy(5);
        Map<RecordKey, AtomicInteger> down = new HashMap<>();
        for (int i = 0; i < count; i++) {
            down.put(Calls.key("down " + i), new AtomicInteger());
            run("down " + i);
            run("up " + i);
        }
        store.beforeRenew = key -> {
            AtomicInteger tries = down.get(key);
            if (tries == null) {
                return;
            }
            tries.incrementAndGet();
            if (down.values().stream().allMatch(each -> each.get() > 1)) {
                takeTime(timeout);
            }
            throw new IllegalStateException("this shard is down");
        };
        await().until(() -> down.values().stream().allMatch(tries -> tries.get() >= 5));
        for (int i = 0; i < count; i++) {
            assertThat(store.renewals(Calls.key("up " + i))).isPositive();
        }
        assertThat(heard.events()).doesNotContain("lease lost");
    }

    @Test
    void whatIsDueTogetherIsRenewedByOneStep() {
        int count = 50;
        run("first");
        CountDownLatch goOn = new CountDownLatch(1);
        store.beforeRenew = key -> awaitUninterrupted(goOn);
        int before = store.renewals(Calls.key("first"));
        await().until(() -> store.renewals(Calls.key("first")) > before);
        List<Execution> due = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            due.add(run("K" + i));
        }
        await().until(() -> due.stream().allMatch(each -> each.leaseLeftNanos() < LEASE.toNanos() / 2));
        store.batches.clear();
        goOn.countDown();
        await().until(() -> due.stream().allMatch(each -> store.renewals(each.key()) > 0));
        assertThat(store.batches.peek()).isGreaterThanOrEqualTo(count);
    }

    /** Whatever it is renewed with, nothing is renewed. */
    @Test
    void oneOperationThatBreaksEveryStepCostsTheOthersNoLease() {
        int count = 20;
        RecordKey broken = Calls.key("broken");
        run("broken");
        String[] others = new String[count];
        for (int i = 0; i < count; i++) {
            others[i] = "K" + i;
            run(others[i]);
        }
        store.beforeRenew = key -> {
            if (key.equals(broken)) {
                throw new IllegalStateException("broken");
            }
        };
        for (int round = 0; round < 3; round++) {
            awaitRenewed(others);
            clock.move(LEASE.minusMillis(2));
        }
        assertThat(heard.events()).doesNotContain("lease lost");
        await().until(() -> store.batches.stream().anyMatch(size -> size > 1 && size <= count));
    }

    @Test
    void whatIsUnansweredIsTriedAgainAndTheRestIsRenewed() {
        RecordKey silent = Calls.key("silent");
        Execution unanswered = run("silent");
        Execution other = run("K1");
        AtomicInteger left = new AtomicInteger(3);
        store.unanswered = key -> key.equals(silent) && left.getAndDecrement() > 0;
        awaitRenewed("K1");
        await().until(() -> left.get() < 0);
        awaitRenewed("silent");
        clock.move(LEASE.minusMillis(1));
        assertThat(unanswered.complete(Calls.CREATED)).isEqualTo(Ending.RECORDED);
        assertThat(other.complete(Calls.CREATED)).isEqualTo(Ending.RECORDED);
    }

    @Test
    void aStoreThatLosesCountOfItsResultsIsNotBelieved() {
        Execution execution = run("K1");
        store.renewed = results -> List.of();
        awaitRenewals("K1", 2);
        store.renewed = results -> List.of(RenewalResult.LOST, RenewalResult.LOST);
        awaitRenewals("K1", 2);
        store.renewed = results -> results;
        awaitRenewals("K1", 2);
        assertThat(execution.complete(Calls.CREATED)).isEqualTo(Ending.RECORDED);
    }

    @Test
    void aLateWriteThatHangsKeepsNoRenewalWaiting() {
        calls.lease = Duration.ofHours(1);
        store.onComplete = Fault.SILENT;
        run("K1").complete(Calls.CREATED);
        calls.lease = LEASE;
        CountDownLatch goOn = new CountDownLatch(1);
        store.beforeComplete = () -> awaitUninterrupted(goOn);
        int before = store.completions.get();
        await().until(() -> store.completions.get() > before);
        run("K2");
        awaitRenewals("K2", 3);
        goOn.countDown();
        assertThat(heard.events()).doesNotContain("lease lost");
    }

    @Test
    void anErrorOfTheStoreDoesNotEndTheThread() {
        run("K1");
        store.beforeRenew = key -> {
            throw new NoClassDefFoundError("of a driver");
        };
        awaitRenewals("K1", 2);
        store.beforeRenew = key -> {};
        awaitRenewals("K1", 2);
    }

    @Test
    void thousandsOfExecutionsAreKeptByOneThread() {
        calls.lease = Duration.ofSeconds(1);
        List<Execution> executions = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            executions.add(run("K" + i));
        }
        for (int round = 0; round < 2; round++) {
            clock.move(calls.lease.minusMillis(1));
            Map<RecordKey, Integer> before = new HashMap<>();
            executions.forEach(each -> before.put(each.key(), store.renewals(each.key())));
            await().until(() ->
                    before.entrySet().stream().allMatch(each -> store.renewals(each.getKey()) > each.getValue() + 1));
        }
        assertThat(newKeeperThreads()).hasSize(1);
        executions.forEach(
                execution -> assertThat(execution.complete(Calls.CREATED)).isEqualTo(Ending.RECORDED));
        assertThat(heard.events()).doesNotContain("lease lost");
    }

    @Test
    void thereIsNoThreadBeforeTheFirstExecution() {
        coordinator.begin(calls.call("K1"));
        assertThat(newKeeperThreads()).hasSize(1).allMatch(Thread::isDaemon);
        Set<Thread> before = keeperThreads();
        try (IdempotencyCoordinator idle =
                new IdempotencyCoordinator(store, new InMemoryDeadLetterQueue(), List.of())) {
            assertThat(idle.begin(calls.call("K1"))).isInstanceOf(Decision.InProgress.class);
            assertThat(keeperThreads()).isEqualTo(before);
        }
        assertThat(keeperThreads()).isEqualTo(before);
    }

    @Test
    void closingStopsTheThreadEvenWhileItSleeps() {
        calls.lease = Duration.ofHours(1);
        run("K1");
        Thread keeper = newKeeperThreads().iterator().next();
        await().until(() -> keeper.getState() == Thread.State.TIMED_WAITING);
        coordinator.close();
        await().until(() -> !keeper.isAlive());
        coordinator.close();
        assertThat(run("K2").complete(Calls.CREATED)).isEqualTo(Ending.RECORDED);
    }

    /**
     * Every execution is due at once, and comes just when the thread has renewed the one before and goes to sleep until
     * that is due again, in years. A wake-up that is lost lets it sleep.
     */
    @Test
    void noWakeUpIsLost() {
        calls.ttl = IdempotencyPolicy.MAX_TTL;
        OwnerToken owner = run("K1").owner();
        AtomicLong renewedNanos = new AtomicLong();
        store.beforeRenew = key -> renewedNanos.set(System.nanoTime());
        Random random = new Random(11);
        Ownership ownership = ownership();
        try (LeaseKeeper keeper = new LeaseKeeper(ownership)) {
            for (int round = 1; round <= 20_000; round++) {
                calls.lease = Duration.ofDays(3_000).minusHours(round);
                long start = System.nanoTime();
                Execution next =
                        new Execution(ownership, calls.call("K1"), owner, 1, 1, start - calls.lease.toNanos(), 0);
                for (int i = random.nextInt(200); i > 0; i--) {
                    Thread.onSpinWait();
                }
                keeper.keep(next);
                spinUntil(round, () -> renewedNanos.get() - start > 0);
                keeper.forget(next);
            }
        }
    }

    private Ownership ownership() {
        IdempotencyListeners nobody = new IdempotencyListeners(List.of());
        DeadLetterOffice letters = new DeadLetterOffice(new InMemoryDeadLetterQueue(), store, nobody);
        return new Ownership(store, letters, new Routes(store, letters, nobody), nobody, new StoreOutage());
    }

    private static void spinUntil(int round, BooleanSupplier done) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline)
                    .as("nanoseconds over the deadline in round %d", round)
                    .isNegative();
            Thread.onSpinWait();
        }
    }

    private Execution run(String key) {
        Decision decision = coordinator.begin(calls.call(key));
        assertThat(decision).isInstanceOf(Decision.Run.class);
        return ((Decision.Run) decision).execution();
    }

    /** Waits until so many renewals have begun and ended from now on. */
    private void awaitRenewals(String key, int count) {
        int before = store.renewals(Calls.key(key));
        await().until(() -> store.renewals(Calls.key(key)) > before + count);
    }

    /** Waits until each has been renewed once more; moves the clock by a millisecond. */
    private void awaitRenewed(String... keys) {
        Map<String, Instant> before = new HashMap<>();
        for (String key : keys) {
            before.put(key, found(key).leaseEnd());
        }
        clock.move(Duration.ofMillis(1));
        await().until(() -> before.entrySet().stream()
                .allMatch(each -> found(each.getKey()).leaseEnd().isAfter(each.getValue())));
    }

    private List<Integer> renewals(String... keys) {
        List<Integer> renewals = new ArrayList<>();
        for (String key : keys) {
            renewals.add(store.renewals(Calls.key(key)));
        }
        return renewals;
    }

    private IdempotencyRecord found(String key) {
        return ((Lookup.Found) real.find(Calls.key(key))).found();
    }

    private Set<Thread> newKeeperThreads() {
        Set<Thread> threads = keeperThreads();
        threads.removeAll(threadsBefore);
        return threads;
    }

    private static Set<Thread> keeperThreads() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread -> !thread.getName().startsWith("idempotency-leases-"));
        return threads;
    }

    /** As a store does that runs into a time-out. */
    private void takeTime(Duration timeout) {
        long start = System.nanoTime();
        for (long left = timeout.toNanos(); left > 0; left = timeout.toNanos() - (System.nanoTime() - start)) {
            LockSupport.parkNanos(left);
        }
        clock.move(timeout);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
