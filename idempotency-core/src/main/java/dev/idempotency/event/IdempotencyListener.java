// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.event;

import dev.idempotency.breaker.SuspensionCause;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.store.PreviousAttempt;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Hears what happens to operations; for metrics, audit and tests. Every method does nothing unless overridden.
 *
 * <p>Methods are called on the thread that handles the call (lease events: on the renewal thread) and should return
 * quickly. What they throw is logged and changes nothing.
 */
public interface IdempotencyListener {

    /**
     * The call owns the operation and is about to run.
     *
     * @param attempts how many attempts there have been, this one included
     * @param previous what the attempt before had ended in
     */
    default void claimed(Operation operation, int attempts, PreviousAttempt previous) {}

    /**
     * The call is about to get the answer of an earlier one; {@link #answered} follows.
     *
     * @param firstTraceId trace of the call that ran, if it was traced
     */
    default void replayed(Operation operation, @Nullable String firstTraceId) {}

    /** The call was answered without running. */
    default void answered(Operation operation, Answer answer) {}

    /** The call ran unprotected, as the store gave no answer and {@code store-failure} is {@code open}. */
    default void ranUnprotected(Operation operation) {}

    /** An attempt's end is in the record. */
    default void ended(Operation operation, AttemptEnd end, Duration duration) {}

    /** An attempt ended after its claim was lost; the record is not changed by it. */
    default void staleCompletion(Operation operation, AttemptEnd end, Duration duration) {}

    /** An attempt's end could not be written yet; it is tried again until the lease is over. */
    default void completionDelayed(Operation operation, AttemptEnd end) {}

    /** An attempt's end was never written: repeats will meet an orphan. */
    default void completionLost(Operation operation, AttemptEnd end) {}

    /** An attempt's failure opened the breaker. */
    default void breakerOpened(Operation operation, Duration cooldown) {}

    /**
     * An attempt's failure suspended its whole bizType, for all instances.
     *
     * @param cooldown how long, unless it is resumed before
     */
    default void routeSuspended(Operation operation, SuspensionCause cause, Duration cooldown) {}

    /**
     * A bizType is no longer suspended.
     *
     * @param byOperator whether a person wished it, rather than a trial having succeeded
     */
    default void routeResumed(String bizType, boolean byOperator) {}

    /**
     * A request is in the dead-letter queue.
     *
     * @param isNew whether it is a new letter rather than another occurrence of one
     */
    default void letterParked(Operation operation, DeadLetterReason reason, boolean isNew) {}

    /** A request could not be parked, now or later; its id is in the log and nowhere else. */
    default void letterLost(Operation operation, DeadLetterReason reason) {}

    /** Open letters had to make room for another one, as the queue was full; their ids are in the log. */
    default void lettersDropped(int count) {}

    /** The lease of a running attempt could not be kept; another call may take the operation over. */
    default void leaseLost(Operation operation) {}
}
