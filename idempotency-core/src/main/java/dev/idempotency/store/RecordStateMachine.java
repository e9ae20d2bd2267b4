// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import dev.idempotency.breaker.SlidingWindow;
import dev.idempotency.policy.OnOrphan;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The life of a record as pure functions of the record, the step and the store's time.
 *
 * <pre>
 * absent ──claim──> PENDING ──Success──> SUCCESS            final until it expires
 *                     │ └─────Release──> absent
 *                     ├───────Failure──> FAILED ──claim──> PENDING
 *                     └─ lease over ─────claim──> PENDING   or left alone, by {@link OnOrphan}
 * </pre>
 *
 * <p>Stores that can run Java inside their atomic step call these functions; the others express the same in their own
 * language. Instants must be whole microseconds ({@link #truncate}).
 */
public final class RecordStateMachine {

    private RecordStateMachine() {}

    /**
     * What a step does to a record.
     *
     * @param next the record afterwards, {@code null} if there is none; the very same object if nothing changed
     * @param result what the caller is told
     */
    public record Step<R>(@Nullable IdempotencyRecord next, R result) {}

    /** The instant in the precision that records have. */
    public static Instant truncate(Instant now) {
        return now.truncatedTo(ChronoUnit.MICROS);
    }

    /**
     * The step of {@link IdempotencyStore#claim}.
     *
     * @param current the record as it is, expired or not; {@code null} if there is none
     */
    public static Step<ClaimResult> claim(@Nullable IdempotencyRecord current, Claim claim, Instant now) {
        return claim(current, 0, claim, now);
    }

    /**
     * The same for a store whose steps may follow each other faster than its clock ticks, so that the clock alone does
     * not keep a forgotten version from coming back.
     *
     * @param forgotten greatest version of any record that the store has removed
     */
    public static Step<ClaimResult> claim(
            @Nullable IdempotencyRecord current, long forgotten, Claim claim, Instant now) {
        if (current == null || current.isExpired(now)) {
            return begin(current, forgotten, claim, now);
        }
        if (current.isOwned(now) && current.owner().equals(claim.owner())) {
            return new Step<>(current, claimed(current, PreviousAttempt.NONE));
        }
        if (current.fingerprint().contradicts(claim.fingerprint())) {
            return new Step<>(current, new ClaimResult.KeyReused(current));
        }
        return switch (current.status()) {
            case SUCCESS ->
                new Step<>(current, new ClaimResult.Completed(current, Duration.between(now, current.expiresAt())));
            case PENDING -> claimPending(current, claim, now);
            case FAILED -> claimFailed(current, claim, now);
        };
    }

    private static Step<ClaimResult> begin(
            @Nullable IdempotencyRecord expired, long forgotten, Claim claim, Instant now) {
        IdempotencyRecord begun = new IdempotencyRecord(
                claim.key(),
                Math.max(nextVersion(expired, now), forgotten + 1),
                RecordStatus.PENDING,
                claim.owner(),
                now.plus(claim.lease()),
                claim.fingerprint(),
                1,
                SlidingWindow.EMPTY,
                claim.payload(),
                now,
                now,
                now.plus(claim.ttl()));
        return new Step<>(begun, claimed(begun, PreviousAttempt.NONE));
    }

    private static Step<ClaimResult> claimPending(IdempotencyRecord current, Claim claim, Instant now) {
        if (current.isOwned(now)) {
            Duration remaining = Duration.between(now, current.leaseEnd());
            return new Step<>(current, new ClaimResult.InProgress(current, remaining));
        }
        if (claim.onOrphan() == OnOrphan.UNCERTAIN && claim.redriveOf() != current.version()) {
            return new Step<>(current, new ClaimResult.OutcomeUnknown(current));
        }
        return claimAgain(current, claim, PreviousAttempt.ORPHANED, now);
    }

    private static Step<ClaimResult> claimFailed(IdempotencyRecord current, Claim claim, Instant now) {
        Instant cooledUntil = current.window().cooledUntil();
        if (cooledUntil != null && now.isBefore(cooledUntil) && !claim.isRedrive()) {
            Duration remaining = Duration.between(now, cooledUntil);
            return new Step<>(current, new ClaimResult.CoolingDown(current, remaining));
        }
        return claimAgain(current, claim, PreviousAttempt.FAILED, now);
    }

    private static Step<ClaimResult> claimAgain(
            IdempotencyRecord current, Claim claim, PreviousAttempt previous, Instant now) {
        IdempotencyRecord reclaimed = new IdempotencyRecord(
                current.key(),
                nextVersion(current, now),
                RecordStatus.PENDING,
                claim.owner(),
                now.plus(claim.lease()),
                claim.fingerprint(),
                current.attempts() + 1,
                current.window(),
                claim.payload(),
                current.createdAt(),
                now,
                now.plus(claim.ttl()));
        return new Step<>(reclaimed, claimed(reclaimed, previous));
    }

    private static ClaimResult claimed(IdempotencyRecord mine, PreviousAttempt previous) {
        return new ClaimResult.Claimed(mine.version(), mine.attempts(), previous);
    }

    /** The step of {@link IdempotencyStore#renew}. */
    public static Step<RenewalResult> renew(@Nullable IdempotencyRecord current, Renewal renewal, Instant now) {
        if (current == null || !holds(current, renewal.owner(), now)) {
            return new Step<>(current, RenewalResult.LOST);
        }
        IdempotencyRecord renewed = new IdempotencyRecord(
                current.key(),
                current.version(),
                current.status(),
                current.owner(),
                now.plus(renewal.lease()),
                current.fingerprint(),
                current.attempts(),
                current.window(),
                current.payload(),
                current.createdAt(),
                current.updatedAt(),
                now.plus(renewal.ttl()));
        return new Step<>(renewed, RenewalResult.RENEWED);
    }

    /** The step of {@link IdempotencyStore#complete}. */
    public static Step<CompletionResult> complete(
            @Nullable IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
        if (current == null || current.isExpired(now) || !current.owner().equals(owner)) {
            return new Step<>(current, new CompletionResult.Stale());
        }
        if (current.status() != RecordStatus.PENDING) {
            return new Step<>(current, completedBefore(current, completion, now));
        }
        if (!current.isOwned(now)) {
            return new Step<>(current, new CompletionResult.Stale());
        }
        if (completion instanceof Completion.Success success) {
            IdempotencyRecord done = ended(
                    current,
                    RecordStatus.SUCCESS,
                    SlidingWindow.EMPTY,
                    success.payload(),
                    now,
                    now.plus(success.ttl()));
            return new Step<>(done, new CompletionResult.Applied(done.version(), Duration.ZERO));
        }
        if (completion instanceof Completion.Failure failure) {
            SlidingWindow window = current.window().afterFailure(failure.breaker(), now);
            Instant expiresAt = now.plus(failure.ttl());
            if (window.cooledUntil() != null && window.cooledUntil().isAfter(expiresAt)) {
                expiresAt = window.cooledUntil();
            }
            IdempotencyRecord failed = ended(current, RecordStatus.FAILED, window, failure.payload(), now, expiresAt);
            return new Step<>(failed, new CompletionResult.Applied(failed.version(), cooldown(failed, now)));
        }
        return new Step<>(null, new CompletionResult.Applied(current.version(), Duration.ZERO));
    }

    /** The step of {@link IdempotencyStore#release}. */
    public static Step<ReleaseResult> release(@Nullable IdempotencyRecord current, long version, Instant now) {
        if (current == null || current.isExpired(now)) {
            return new Step<>(current, ReleaseResult.ABSENT);
        }
        return current.version() != version || current.status() == RecordStatus.SUCCESS
                ? new Step<>(current, ReleaseResult.REFUSED)
                : new Step<>(null, ReleaseResult.RELEASED);
    }

    /** The step of {@link IdempotencyStore#find}. */
    public static Lookup find(@Nullable IdempotencyRecord current, Instant now) {
        return current == null || current.isExpired(now) ? new Lookup.Absent() : new Lookup.Found(current);
    }

    private static CompletionResult completedBefore(IdempotencyRecord current, Completion completion, Instant now) {
        boolean sameKind = current.status() == RecordStatus.SUCCESS
                ? completion instanceof Completion.Success
                : completion instanceof Completion.Failure;
        return sameKind
                ? new CompletionResult.Applied(current.version(), cooldown(current, now))
                : new CompletionResult.Stale();
    }

    private static IdempotencyRecord ended(
            IdempotencyRecord current,
            RecordStatus status,
            SlidingWindow window,
            Payload payload,
            Instant now,
            Instant expiresAt) {
        return new IdempotencyRecord(
                current.key(),
                nextVersion(current, now),
                status,
                current.owner(),
                current.leaseEnd(),
                current.fingerprint(),
                current.attempts(),
                window,
                payload,
                current.createdAt(),
                now,
                expiresAt);
    }

    private static boolean holds(IdempotencyRecord current, OwnerToken owner, Instant now) {
        return !current.isExpired(now)
                && current.isOwned(now)
                && current.owner().equals(owner);
    }

    private static Duration cooldown(IdempotencyRecord current, Instant now) {
        Instant cooledUntil = current.window().cooledUntil();
        return cooledUntil != null && now.isBefore(cooledUntil) ? Duration.between(now, cooledUntil) : Duration.ZERO;
    }

    private static long nextVersion(@Nullable IdempotencyRecord current, Instant now) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, now);
        return current == null ? micros : Math.max(micros, current.version() + 1);
    }
}
