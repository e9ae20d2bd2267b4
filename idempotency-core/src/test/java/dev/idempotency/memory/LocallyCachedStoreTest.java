// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.ReleaseResult;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LocallyCachedStoreTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration TTL = Duration.ofMinutes(5);
    private static final RecordKey KEY = RecordKey.builder("order").build();
    private static final Payload ANSWER = Payload.of(new byte[] {1, 2, 3});

    private final MovableClock clock = new MovableClock();
    private final AtomicInteger asked = new AtomicInteger();
    private final IdempotencyStore real = new InMemoryIdempotencyStore(10_000_000, clock);
    private final IdempotencyStore counted = new Counted();
    private long nanos;
    private final LocallyCachedStore store = new LocallyCachedStore(counted, 1_000_000, () -> nanos);

    @Test
    void aFinishedRecordIsAskedForOnce() {
        finish(KEY);
        for (int i = 0; i < 10; i++) {
            assertThat(claim(KEY, 'a')).isInstanceOfSatisfying(ClaimResult.Completed.class, completed -> {
                assertThat(completed.found().payload()).isEqualTo(ANSWER);
                assertThat(completed.remaining()).isEqualTo(TTL);
            });
        }
        assertThat(asked).hasValue(2);
    }

    @Test
    void otherContentIsRefusedFromTheCacheToo() {
        finish(KEY);
        claim(KEY, 'a');
        assertThat(claim(KEY, 'b')).isInstanceOf(ClaimResult.KeyReused.class);
        assertThat(asked).hasValue(2);
    }

    @Test
    void nothingIsAnsweredBeyondTheRecordsOwnTime() {
        finish(KEY);
        claim(KEY, 'a');
        nanos += TTL.toNanos() - 1;
        assertThat(claim(KEY, 'a')).isInstanceOf(ClaimResult.Completed.class);
        nanos += 1;
        clock.move(TTL);
        assertThat(claim(KEY, 'a')).isInstanceOf(ClaimResult.Claimed.class);
    }

    @Test
    void onlyASuccessIsRemembered() {
        OwnerToken owner = OwnerToken.random();
        store.claim(claimBy(owner, KEY, 'a'));
        assertThat(claim(KEY, 'a')).isInstanceOf(ClaimResult.InProgress.class);
        assertThat(claim(KEY, 'a')).isInstanceOf(ClaimResult.InProgress.class);
        assertThat(asked).hasValue(3);
        store.complete(KEY, owner, new Completion.Failure(ANSWER, TTL, new BreakerPolicy(1, LEASE, LEASE)));
        assertThat(claim(KEY, 'a')).isInstanceOf(ClaimResult.CoolingDown.class);
        assertThat(claim(KEY, 'a')).isInstanceOf(ClaimResult.CoolingDown.class);
        assertThat(asked).hasValue(5);
    }

    @Test
    void theCacheHasABound() {
        LocallyCachedStore small = new LocallyCachedStore(counted, 10_000, () -> nanos);
        for (int i = 0; i < 100; i++) {
            RecordKey key = RecordKey.builder("order").part("n", "" + i).build();
            finish(key);
            small.claim(claimBy(OwnerToken.random(), key, 'a'));
        }
        int before = asked.get();
        for (int i = 0; i < 100; i++) {
            RecordKey key = RecordKey.builder("order").part("n", "" + i).build();
            assertThat(small.claim(claimBy(OwnerToken.random(), key, 'a'))).isInstanceOf(ClaimResult.Completed.class);
        }
        assertThat(asked.get() - before).isGreaterThan(80);
    }

    private void finish(RecordKey key) {
        OwnerToken owner = OwnerToken.random();
        store.claim(claimBy(owner, key, 'a'));
        assertThat(store.complete(key, owner, new Completion.Success(ANSWER, TTL)))
                .isInstanceOf(CompletionResult.Applied.class);
    }

    private ClaimResult claim(RecordKey key, char content) {
        return store.claim(claimBy(OwnerToken.random(), key, content));
    }

    private static Claim claimBy(OwnerToken owner, RecordKey key, char content) {
        byte[] digest = new byte[Fingerprint.DIGEST_BYTES];
        digest[0] = (byte) content;
        return new Claim(key, owner, Fingerprint.of(1, digest), LEASE, TTL, OnOrphan.TAKE_OVER, Payload.EMPTY);
    }

    private final class Counted implements IdempotencyStore {

        @Override
        public String name() {
            return "counted";
        }

        @Override
        public ClaimResult claim(Claim claim) {
            asked.incrementAndGet();
            return real.claim(claim);
        }

        @Override
        public List<RenewalResult> renew(List<Renewal> renewals) {
            return real.renew(renewals);
        }

        @Override
        public CompletionResult complete(RecordKey key, OwnerToken owner, Completion completion) {
            return real.complete(key, owner, completion);
        }

        @Override
        public ReleaseResult release(RecordKey key, long version) {
            return real.release(key, version);
        }

        @Override
        public Lookup find(RecordKey key) {
            return real.find(key);
        }
    }
}
