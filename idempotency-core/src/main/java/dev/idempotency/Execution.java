// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.event.AttemptEnd;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Completion;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.RecordContent;
import dev.idempotency.store.StoredResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at an operation, by its owner. Its lease is renewed until it is ended, which its owner must do exactly once,
 * whatever happens: by {@link #complete}, {@link #completeWithoutAnswer}, {@link #fail} or {@link #release}. May be ended
 * from any thread; what comes after the first end is ignored and answered {@link Ending#STALE}.
 */
public final class Execution {

    private final IdempotencyCoordinator coordinator;
    private final IdempotentRequest request;
    private final OwnerToken owner;
    private final long version;
    private final int attempts;
    private final long startedNanos = System.nanoTime();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CountDownLatch over = new CountDownLatch(1);

    /** When the claim or its latest renewal was sent: the store's lease cannot end earlier than one lease after it. */
    private volatile long leaseStartNanos;

    Execution(
            IdempotencyCoordinator coordinator,
            IdempotentRequest request,
            OwnerToken owner,
            long version,
            int attempts,
            long leaseStartNanos) {
        this.coordinator = coordinator;
        this.request = request;
        this.owner = owner;
        this.version = version;
        this.attempts = attempts;
        this.leaseStartNanos = leaseStartNanos;
    }

    /** The operation. */
    public RecordKey key() {
        return request.key();
    }

    /** The claim's fencing number: greater than that of every earlier claim of the same operation. */
    public long version() {
        return version;
    }

    /** How many attempts there have been at the operation, this one included. */
    public int attempts() {
        return attempts;
    }

    /** Ends it as done; repeats get this answer until the ttl is over. */
    public Ending complete(StoredResponse response) {
        return end(AttemptEnd.SUCCEEDED, success(new RecordContent.Answer(request.traceId(), response)));
    }

    /** Ends it as done, with an answer too large to keep: repeats are told that it cannot be given again. */
    public Ending completeWithoutAnswer() {
        return end(AttemptEnd.SUCCEEDED, success(new RecordContent.AnswerTooLarge(request.traceId())));
    }

    /**
     * Ends it as failed: the next repeat runs again, unless the operation now cools down.
     *
     * @param cause what was thrown, if anything
     * @param status the access layer's status code, 0 if it had none
     */
    public Ending fail(@Nullable Throwable cause, int status) {
        String type = cause == null ? "" : cause.getClass().getName();
        String message = cause == null || cause.getMessage() == null ? "" : cause.getMessage();
        RecordContent.Failure content = new RecordContent.Failure(request.traceId(), type, message, status);
        Completion failure = new Completion.Failure(
                content.encode(), request.policy().ttl(), request.policy().breaker());
        return end(AttemptEnd.FAILED, failure);
    }

    /** Ends it as if it had never begun. */
    public Ending release() {
        return end(AttemptEnd.RELEASED, new Completion.Release());
    }

    private Completion success(RecordContent content) {
        return new Completion.Success(content.encode(), request.policy().ttl());
    }

    private Ending end(AttemptEnd end, Completion completion) {
        if (!ended.compareAndSet(false, true)) {
            return Ending.STALE;
        }
        try {
            return coordinator.end(this, end, completion);
        } finally {
            over.countDown();
        }
    }

    boolean isEnded() {
        return ended.get();
    }

    IdempotentRequest request() {
        return request;
    }

    OwnerToken owner() {
        return owner;
    }

    Duration duration() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    /** How long the claim still holds at the least, in nanoseconds; negative if it may be over. */
    long leaseLeftNanos() {
        return request.policy().lease().toNanos() - (System.nanoTime() - leaseStartNanos);
    }

    void leaseRenewed(long sentNanos) {
        leaseStartNanos = sentNanos;
    }

    /** Waits until the owner has reported an end; {@code false} if the time was over first. */
    boolean awaitEnd(Duration limit) throws InterruptedException {
        return over.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }
}
