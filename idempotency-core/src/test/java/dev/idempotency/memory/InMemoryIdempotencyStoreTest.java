// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Its bound and its accounting; that it keeps the store's contract is the kit's subject. */
class InMemoryIdempotencyStoreTest {

    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final Duration TTL = Duration.ofHours(24);
    private static final int ROOM = 20_000;

    private final MovableClock clock = new MovableClock();
    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(ROOM, clock);

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aStoreWithoutRoomIsRefused(long maxBytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InMemoryIdempotencyStore(maxBytes))
                .withMessage("maxBytes must be positive, but is " + maxBytes);
    }

    @Test
    void aFullStoreRefusesNewClaimsAndGoesOnWithOldOnes() {
        OwnerToken owner = OwnerToken.random();
        RecordKey done = key("done");
        assertThat(store.claim(claim(done, owner))).isInstanceOf(ClaimResult.Claimed.class);
        assertThat(store.complete(done, owner, success(10))).isInstanceOf(CompletionResult.Applied.class);
        RecordKey failed = key("failed");
        assertThat(store.claim(claim(failed, owner))).isInstanceOf(ClaimResult.Claimed.class);
        store.complete(failed, owner, new Completion.Failure(Payload.EMPTY, TTL, BreakerPolicy.OFF));
        RecordKey running = key("running");
        assertThat(store.claim(claim(running, owner))).isInstanceOf(ClaimResult.Claimed.class);
        RecordKey orphan = key("orphan");
        store.claim(
                new Claim(orphan, owner, fingerprint(), Duration.ofMillis(1), TTL, OnOrphan.TAKE_OVER, Payload.EMPTY));
        fill();
        long full = store.usedBytes();
        clock.move(Duration.ofMillis(1));

        assertThatThrownBy(() -> store.claim(claim(key("new"), OwnerToken.random())))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("of at most " + ROOM + " bytes");
        assertThat(store.find(key("new"))).isInstanceOf(Lookup.Absent.class);
        assertThat(store.claim(claim(done, OwnerToken.random()))).isInstanceOf(ClaimResult.Completed.class);
        assertThat(store.claim(claim(running, OwnerToken.random()))).isInstanceOf(ClaimResult.InProgress.class);
        assertThat(store.claim(claim(running, owner))).isInstanceOf(ClaimResult.Claimed.class);
        assertThat(store.claim(claim(failed, OwnerToken.random()))).isInstanceOf(ClaimResult.Claimed.class);
        assertThat(store.claim(claim(orphan, OwnerToken.random()))).isInstanceOf(ClaimResult.Claimed.class);
        assertThat(store.renew(List.of(new Renewal(running, owner, LEASE, TTL))))
                .containsExactly(RenewalResult.RENEWED);
        assertThat(store.usedBytes()).isEqualTo(full);
        assertThat(store.complete(running, owner, success(0))).isInstanceOf(CompletionResult.Applied.class);
    }

    @Test
    void aFullStoreTakesClaimsAgainWhenRecordsHaveExpiredWithoutAnyOtherTraffic() {
        int fitting = fill();
        clock.move(TTL.plusSeconds(2));
        assertThat(fill()).isEqualTo(fitting);
    }

    @Test
    void anExpiredRecordThatMakesNoRoomForItsSuccessorIsCountedOnce() {
        RecordKey small = key("small");
        store.claim(claim(small, OwnerToken.random(), Duration.ofMinutes(2), Payload.EMPTY));
        fill();
        clock.move(Duration.ofMinutes(2));
        Claim large = claim(small, OwnerToken.random(), TTL, Payload.of(new byte[ROOM]));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> store.claim(large)).isInstanceOf(StoreUnavailableException.class);
        }
        clock.move(TTL.plusSeconds(2));
        assertThat(store.usedBytes()).isZero();
    }

    @Test
    void aReleaseGivesAllRoomBack() {
        OwnerToken owner = OwnerToken.random();
        store.claim(claim(key("k"), owner, TTL, Payload.of(new byte[100])));
        assertThat(store.usedBytes()).isGreaterThan(100);
        store.complete(key("k"), owner, new Completion.Release());
        assertThat(store.usedBytes()).isZero();
    }

    @Test
    void aRecordIsChargedWithItsPayloadAndItsFailures() {
        OwnerToken owner = OwnerToken.random();
        store.claim(claim(key("k"), owner));
        long claimed = store.usedBytes();
        store.complete(key("k"), owner, success(1_000));
        assertThat(store.usedBytes()).isEqualTo(claimed + 1_000);
        store.claim(claim(key("f"), owner));
        long before = store.usedBytes();
        store.complete(key("f"), owner, new Completion.Failure(Payload.EMPTY, TTL, BreakerPolicy.DEFAULT));
        assertThat(store.usedBytes()).isGreaterThan(before);
    }

    @Test
    void expiryGivesAllRoomBack() {
        OwnerToken owner = OwnerToken.random();
        for (int i = 0; i < 10; i++) {
            store.claim(claim(key("k" + i), owner));
        }
        store.complete(key("k0"), owner, success(100));
        store.complete(key("k1"), owner, new Completion.Failure(Payload.of(new byte[9]), TTL, BreakerPolicy.DEFAULT));
        store.complete(key("k2"), owner, new Completion.Release());
        store.renew(List.of(new Renewal(key("k3"), owner, LEASE, TTL.plusDays(1))));
        clock.move(TTL.plusSeconds(2));
        assertThat(store.find(key("k3"))).isInstanceOf(Lookup.Found.class);
        assertThat(store.find(key("k0"))).isInstanceOf(Lookup.Absent.class);
        clock.move(Duration.ofDays(1));
        assertThat(store.usedBytes()).isZero();
    }

    /** The clock is read several times within one step, and a pause between two readings must not shorten a ttl. */
    @Test
    void aPauseInTheMiddleOfAStepShortensNoTtl() {
        InMemoryIdempotencyStore slow = new InMemoryIdempotencyStore(ROOM, clock);
        OwnerToken owner = OwnerToken.random();
        clock.moveAtEveryReading(Duration.ofSeconds(1));
        slow.claim(claim(key("k"), owner));
        slow.complete(key("k"), owner, new Completion.Success(Payload.EMPTY, TTL));
        clock.moveAtEveryReading(Duration.ZERO);
        assertThat(slow.find(key("k"))).isInstanceOfSatisfying(Lookup.Found.class, found -> {
            clock.move(
                    Duration.between(clock.instant(), found.found().expiresAt()).minusNanos(1_000));
            assertThat(slow.find(key("k"))).isEqualTo(found);
            clock.move(Duration.ofNanos(1_000));
            assertThat(slow.find(key("k"))).isInstanceOf(Lookup.Absent.class);
        });
    }

    @Test
    void aTtlProlongedByLittleIsProlongedByExactlyThat() {
        OwnerToken owner = OwnerToken.random();
        store.claim(claim(key("k"), owner));
        clock.move(Duration.ofMillis(10));
        store.renew(List.of(new Renewal(key("k"), owner, LEASE, TTL)));
        clock.move(TTL.minusNanos(1_000));
        assertThat(store.find(key("k"))).isInstanceOf(Lookup.Found.class);
        clock.move(Duration.ofNanos(1_000));
        assertThat(store.find(key("k"))).isInstanceOf(Lookup.Absent.class);
    }

    @Test
    void racesOverManyKeysHaveOneWinnerEach() throws Exception {
        int keys = 8_000;
        int threads = 2;
        InMemoryIdempotencyStore large = new InMemoryIdempotencyStore(1L << 30, clock);
        AtomicIntegerArray winners = new AtomicIntegerArray(keys);
        AtomicIntegerArray arrived = new AtomicIntegerArray(keys);
        inThreads(threads, () -> {
            for (int i = 0; i < keys; i++) {
                // A spinning gate every now and then keeps both threads at the same keys.
                if (i % 4 == 0) {
                    arrived.incrementAndGet(i);
                    while (arrived.get(i) < threads) {
                        Thread.onSpinWait();
                    }
                }
                if (large.claim(claim(key("k" + i), OwnerToken.random())) instanceof ClaimResult.Claimed) {
                    winners.incrementAndGet(i);
                }
            }
            return null;
        });
        for (int i = 0; i < keys; i++) {
            assertThat(winners.get(i)).isOne();
        }
        clock.move(TTL.plusSeconds(2));
        assertThat(large.usedBytes()).isZero();
    }

    @Test
    void theAccountIsEvenAfterARaceOfEveryKindOfStep() throws Exception {
        InMemoryIdempotencyStore contended = new InMemoryIdempotencyStore(ROOM, clock);
        inThreads(4, () -> {
            Random random = new Random(Thread.currentThread().getId());
            for (int i = 0; i < 20_000; i++) {
                RecordKey key = key("k" + random.nextInt(60));
                OwnerToken owner = OwnerToken.random();
                try {
                    contended.claim(claim(key, owner, LEASE, Payload.of(new byte[random.nextInt(200)])));
                } catch (StoreUnavailableException full) {
                    contended.find(key);
                }
                switch (random.nextInt(6)) {
                    case 0 -> contended.complete(key, owner, success(random.nextInt(300)));
                    case 1 ->
                        contended.complete(
                                key, owner, new Completion.Failure(Payload.EMPTY, TTL, BreakerPolicy.DEFAULT));
                    case 2 -> contended.complete(key, owner, new Completion.Release());
                    case 3 -> contended.renew(List.of(new Renewal(key, owner, LEASE, TTL)));
                    case 4 -> clock.move(Duration.ofSeconds(random.nextInt(30)));
                    default -> contended.find(key);
                }
            }
            return null;
        });
        clock.move(TTL.plusDays(1));
        assertThat(contended.usedBytes()).isZero();
    }

    /** Claims new keys until the store is full; how many it took. */
    private int fill() {
        int taken = 0;
        while (taken < ROOM) {
            try {
                store.claim(claim(key(clock.instant() + "-" + taken), OwnerToken.random()));
                taken++;
            } catch (StoreUnavailableException full) {
                return taken;
            }
        }
        throw new AssertionError("more claims than bytes");
    }

    private static void inThreads(int count, Callable<Void> task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                running.add(threads.submit(task));
            }
            for (Future<Void> each : running) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static RecordKey key(String name) {
        return RecordKey.builder("b").part("key", name).build();
    }

    private static Fingerprint fingerprint() {
        return Fingerprint.of(1, new byte[Fingerprint.DIGEST_BYTES]);
    }

    private static Claim claim(RecordKey key, OwnerToken owner) {
        return claim(key, owner, TTL, Payload.EMPTY);
    }

    private static Claim claim(RecordKey key, OwnerToken owner, Duration ttl, Payload payload) {
        return new Claim(key, owner, fingerprint(), LEASE, ttl, OnOrphan.TAKE_OVER, payload);
    }

    private static Completion success(int size) {
        return new Completion.Success(Payload.of(new byte[size]), TTL);
    }
}
