// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.DeadLetterOffice.FailedAttempt;
import dev.idempotency.deadletter.DeadLetterContent;
import dev.idempotency.event.AttemptEnd;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Completion;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordContent;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.StoredResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt at an operation, by its owner. Its lease is renewed until it is ended, which its owner must do exactly once,
 * whatever happens: by {@link #complete}, {@link #completeWithoutAnswer}, {@link #fail} or {@link #release}. May be ended
 * from any thread; what comes after the first end is ignored and answered {@link Ending#STALE}.
 *
 * <p>An attempt that is {@linkplain dev.idempotency.policy.IdempotencyPolicy#transactional transactional} is completed in
 * two steps instead: {@link #completeInTransaction} before its transaction is committed and {@link #committed} after it. If
 * it was not committed, or nobody knows, {@link #fail} ends the attempt as what the transaction made of it.
 */
public final class Execution {

    private static final Logger log = LoggerFactory.getLogger(Execution.class);

    /** As short as every store can tell. */
    private static final Duration OVER_AT_ONCE = Duration.ofMillis(1);

    private final Ownership ownership;
    private final OwnerToken owner;
    private final long version;
    private final int attempts;
    private final long trial;
    private final long startedNanos = System.nanoTime();
    private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);
    private final CountDownLatch worthAsking = new CountDownLatch(1);
    private final IdempotencyContext context = new IdempotencyContext(this);
    private volatile IdempotentRequest request;

    /** What the running code has said of its answer, from whatever thread. */
    private volatile boolean notStored;

    private volatile @Nullable Duration ownTtl;

    /** What it failed with, for the letter if it becomes one. */
    private volatile FailedAttempt failed = FailedAttempt.NONE;

    /** When the claim or its latest renewal was sent: the store's lease cannot end earlier than one lease after it. */
    private volatile long leaseStartNanos;

    /** When the claim or a renewal was last tried; this and the next are for the renewing thread alone. */
    private long renewalTriedNanos;

    private boolean renewalFailing;

    private enum State {
        RUNNING,

        /** Its success is written in a transaction that is not over yet, as far as is known. */
        IN_TRANSACTION,
        ENDED
    }

    Execution(
            Ownership ownership,
            IdempotentRequest request,
            OwnerToken owner,
            long version,
            int attempts,
            long leaseStartNanos,
            long trial) {
        this.ownership = ownership;
        this.request = request;
        this.owner = owner;
        this.version = version;
        this.attempts = attempts;
        this.trial = trial;
        this.leaseStartNanos = leaseStartNanos;
        this.renewalTriedNanos = leaseStartNanos;
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

    /** What the code that runs it may know and say; the access layer opens it around that code. */
    public IdempotencyContext context() {
        return context;
    }

    void doNotStore() {
        notStored = true;
    }

    void storeFor(Duration ttl) {
        ownTtl = ttl;
    }

    /**
     * Ends it as done; repeats get this answer until the ttl is over. An answer that the stored form cannot hold, such as
     * one with a header line of more than 65535 bytes, ends it as {@link #completeWithoutAnswer} does. If the running code has
     * asked for its answer not to be stored, no record is left, as after {@link #release}.
     */
    public Ending complete(StoredResponse response) {
        return notStored ? release() : end(AttemptEnd.SUCCEEDED, success(content(response)));
    }

    /**
     * Ends it as done, with an answer too large to keep: repeats are told that it cannot be given again, unless the running
     * code has asked for its answer not to be stored.
     */
    public Ending completeWithoutAnswer() {
        return notStored ? release() : end(AttemptEnd.SUCCEEDED, success(content(null)));
    }

    /**
     * Writes its success as a part of the calling thread's transaction, which is to be committed right after. If the running
     * code has asked for its answer not to be stored, the record is over as soon as it is committed.
     *
     * @param response the answer, or {@code null} if it is too large to keep
     * @return whether the transaction may be committed; {@code false} if the claim had been lost: it must be rolled back,
     *     and the execution is over
     * @throws RuntimeException if the success could not be written: the transaction must be rolled back, and the execution
     *     is still to be ended
     */
    public boolean completeInTransaction(@Nullable StoredResponse response) {
        if (!state.compareAndSet(State.RUNNING, State.IN_TRANSACTION)) {
            return false;
        }
        Completion.Success success =
                notStored ? new Completion.Success(content(null), OVER_AT_ONCE) : success(content(response));
        if (ownership.endInTransaction(this, success)) {
            return true;
        }
        state.set(State.ENDED);
        wakeWaiters();
        return false;
    }

    /** Ends it as done, once the transaction of {@link #completeInTransaction} has been committed. */
    public void committed() {
        if (state.compareAndSet(State.IN_TRANSACTION, State.ENDED)) {
            ownership.committed(this, notStored ? AttemptEnd.RELEASED : AttemptEnd.SUCCEEDED);
            wakeWaiters();
        }
    }

    /**
     * Ends it as failed: the next repeat runs again, unless the operation now cools down.
     *
     * @param cause what was thrown, if anything
     * @param status the access layer's status code, 0 if it had none; up to 65535
     */
    public Ending fail(@Nullable Throwable cause, int status) {
        String type = cause == null ? "" : cause.getClass().getName();
        RecordContent.Failure content = new RecordContent.Failure(request.traceId(), type, message(cause), status);
        failed = new FailedAttempt(chain(cause), status == 0 ? List.of() : List.of(status));
        Completion failure = new Completion.Failure(
                content.encode(), request.policy().ttl(), request.policy().breaker());
        return end(AttemptEnd.FAILED, failure);
    }

    /** Ends it as if it had never begun. */
    public Ending release() {
        return end(AttemptEnd.RELEASED, new Completion.Release());
    }

    private Payload content(@Nullable StoredResponse response) {
        try {
            if (response != null) {
                return new RecordContent.Answer(request.traceId(), response).encode();
            }
        } catch (IllegalArgumentException e) {
            log.warn("The answer of {} cannot be kept.", key(), e);
        }
        return new RecordContent.AnswerTooLarge(request.traceId()).encode();
    }

    private Completion.Success success(Payload content) {
        Duration ttl = ownTtl;
        return new Completion.Success(content, ttl == null ? request.policy().ttl() : ttl);
    }

    private static List<DeadLetterContent.Failure> chain(@Nullable Throwable cause) {
        List<DeadLetterContent.Failure> chain = new ArrayList<>();
        for (Throwable at = cause; at != null && chain.size() < DeadLetterContent.MAX_FAILURES; at = at.getCause()) {
            chain.add(new DeadLetterContent.Failure(at.getClass().getName(), message(at)));
        }
        return chain;
    }

    private static String message(@Nullable Throwable cause) {
        try {
            String message = cause == null ? null : cause.getMessage();
            return message == null ? "" : message;
        } catch (RuntimeException e) { // one that puts its message together only now
            return "";
        }
    }

    private Ending end(AttemptEnd end, Completion completion) {
        if (state.getAndSet(State.ENDED) == State.ENDED) {
            return Ending.STALE;
        }
        try {
            return ownership.end(this, end, completion);
        } finally {
            wakeWaiters();
        }
    }

    boolean isRunning() {
        return state.get() == State.RUNNING;
    }

    boolean isEnded() {
        return state.get() == State.ENDED;
    }

    /** Whether its record is locked by its own transaction, which nothing needs to renew. */
    boolean isInTransaction() {
        return state.get() == State.IN_TRANSACTION;
    }

    /** Copies the request while it is there: an end that is written later may become a dead letter. */
    void copyRequest() {
        try {
            request = request.copied();
        } catch (RuntimeException e) {
            log.error("The request of {} cannot be copied; it will be no dead letter if its end is lost.", key(), e);
        }
    }

    IdempotentRequest request() {
        return request;
    }

    FailedAttempt failed() {
        return failed;
    }

    /** Id of the trial of its route that it is, 0 if it is none. */
    long trial() {
        return trial;
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

    Renewal renewal() {
        return new Renewal(
                key(), owner, request.policy().lease(), request.policy().ttl());
    }

    void leaseRenewed(long sentNanos) {
        leaseStartNanos = sentNanos;
        renewalFailing = false;
    }

    /** Called before each try at a renewal. */
    void renewalTried() {
        renewalTriedNanos = System.nanoTime();
    }

    long renewalTriedNanos() {
        return renewalTriedNanos;
    }

    void renewalFailed() {
        renewalFailing = true;
    }

    /** Whether the latest try at a renewal failed. */
    boolean isRenewalFailing() {
        return renewalFailing;
    }

    /** The owner has reported an end or lost its claim: whoever waits for that asks the store. */
    void wakeWaiters() {
        worthAsking.countDown();
    }

    /** Waits until {@link #wakeWaiters} was called; {@code false} if the time was over first. */
    boolean awaitEnd(Duration limit) throws InterruptedException {
        return worthAsking.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }
}
