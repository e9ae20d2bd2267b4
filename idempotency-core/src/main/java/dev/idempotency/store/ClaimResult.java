// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import java.time.Duration;

/** The one answer to a {@link Claim}: the caller owns the operation now, or why not. */
public sealed interface ClaimResult {

    /**
     * The caller owns the operation until its lease is over. Also the answer when the same token already held a live
     * claim, so that a caller who never saw the first reply may ask again.
     *
     * @param version the claim's fencing number
     * @param attempts how many claims there have been, this one included
     * @param previous what the attempt before had ended in
     */
    record Claimed(long version, int attempts, PreviousAttempt previous) implements ClaimResult {}

    /**
     * The operation has succeeded; nothing was changed.
     *
     * @param remaining how long the record still answers, positive
     */
    record Completed(IdempotencyRecord found, Duration remaining) implements ClaimResult {}

    /**
     * Somebody else owns the operation; nothing was changed.
     *
     * @param remaining how long that claim holds unless it is renewed, positive
     */
    record InProgress(IdempotencyRecord found, Duration remaining) implements ClaimResult {}

    /** The operation was started with other content; nothing was changed. Told before any of the answers above. */
    record KeyReused(IdempotencyRecord found) implements ClaimResult {}

    /**
     * The operation failed too often; nothing was changed.
     *
     * @param remaining how long the cool-down still lasts, positive
     */
    record CoolingDown(IdempotencyRecord found, Duration remaining) implements ClaimResult {}

    /** The last owner went silent and the claim says to leave it ({@code on-orphan: uncertain}); nothing was changed. */
    record OutcomeUnknown(IdempotencyRecord found) implements ClaimResult {}

    /** There is a record, damaged or of an unknown format; nothing was changed. */
    record Unreadable() implements ClaimResult {}
}
