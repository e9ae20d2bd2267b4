// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.policy.OnDuplicate;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.RecordContent;
import dev.idempotency.store.StoreUnavailableException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the store for ownership; repeats that arrive together on this instance ask it once. */
final class Claims {

    private static final Logger log = LoggerFactory.getLogger(Claims.class);

    private final IdempotencyStore store;
    private final LateWrites lateWrites;
    private final ConcurrentMap<RecordKey, Question> questions = new ConcurrentHashMap<>();

    Claims(IdempotencyStore store, LateWrites lateWrites) {
        this.store = store;
        this.lateWrites = lateWrites;
    }

    /** What the store said to a claim, and when that was sent. */
    record Reply(ClaimResult result, Claim claim, long sentNanos) {}

    /** A claim on its way. */
    private static final class Question {

        private final Fingerprint fingerprint;
        private final CountDownLatch answered = new CountDownLatch(1);
        private volatile @Nullable Reply reply;
        private volatile @Nullable StoreUnavailableException failure;

        Question(Fingerprint fingerprint) {
            this.fingerprint = fingerprint;
        }
    }

    /**
     * Claims the operation for this call.
     *
     * @return the store's answer to this call, or to one with the same content that was on its way already
     * @throws StoreUnavailableException if the store gave no answer; a claim that it may have made is released later
     */
    Reply claim(IdempotentRequest request) {
        Question mine = new Question(request.fingerprint());
        Question first = questions.putIfAbsent(request.key(), mine);
        if (first != null) {
            Reply shared = share(first, request.fingerprint());
            return shared == null ? ask(request) : shared;
        }
        try {
            Reply reply = ask(request);
            mine.reply = reply;
            return reply;
        } catch (StoreUnavailableException e) {
            mine.failure = e;
            throw e;
        } finally {
            questions.remove(request.key(), mine);
            mine.answered.countDown();
        }
    }

    /** Only what has ended is shared: any other answer may have been overtaken before this call came. */
    private static @Nullable Reply share(Question first, Fingerprint fingerprint) {
        if (!first.fingerprint.equals(fingerprint)) {
            return null;
        }
        try {
            first.answered.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
        StoreUnavailableException failure = first.failure;
        if (failure != null) {
            throw new StoreUnavailableException("the store gave no answer to the same question", failure);
        }
        Reply reply = first.reply;
        return reply != null && reply.result() instanceof ClaimResult.Completed ? reply : null;
    }

    private Reply ask(IdempotentRequest request) {
        IdempotencyPolicy policy = request.policy();
        Claim claim = new Claim(
                request.key(),
                OwnerToken.random(),
                request.fingerprint(),
                policy.lease(),
                policy.ttl(),
                policy.onOrphan(),
                new RecordContent.Started(request.traceId()).encode(),
                policy.onDuplicate() == OnDuplicate.WAIT,
                request.redriveOf());
        long sentNanos = System.nanoTime();
        try {
            return new Reply(store.claim(claim), claim, sentNanos);
        } catch (StoreUnavailableException e) {
            lateWrites.add(new LateRelease(claim, sentNanos));
            throw e;
        } catch (RuntimeException e) {
            lateWrites.add(new LateRelease(claim, sentNanos));
            throw new StoreUnavailableException("the store failed in a way that it does not know itself", e);
        }
    }

    /**
     * A claim that nobody works on but that may be in the store, because the reply to it never came: repeats must not
     * have to wait for its lease. Holds nothing of the request, as there may be thousands while the store is silent.
     */
    private final class LateRelease implements LateWrites.LateWrite {

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
