// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.SlidingWindow;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.PreviousAttempt;
import dev.idempotency.store.RecordStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

abstract class ClaimRules extends StoreRules {

    ClaimRules(IdempotencyStoreTck tck) {
        super(tck);
    }

    @Test
    void firstClaimOwnsTheOperation() {
        Operation operation = operation();
        operation.mustBeAbsent();

        ClaimResult.Claimed claimed = operation.attempt().claimed();

        assertThat(claimed.version()).isPositive();
        assertThat(claimed.attempts()).isEqualTo(1);
        assertThat(claimed.previous()).isEqualTo(PreviousAttempt.NONE);
    }

    @Test
    void recordTellsEverythingOfTheClaim() {
        Operation operation = operation();
        Attempt attempt = operation
                .attempt()
                .lease(Duration.ofMinutes(10))
                .ttl(Duration.ofMinutes(20))
                .content(Operation.content(7, 8))
                .started(Operation.payload("by hand"));

        long version = attempt.claimed().version();

        IdempotencyRecord found = operation.found();
        assertThat(found.key()).isEqualTo(operation.key());
        assertThat(found.version()).isEqualTo(version);
        assertThat(found.status()).isEqualTo(RecordStatus.PENDING);
        assertThat(found.owner()).isEqualTo(attempt.owner());
        assertThat(found.leaseEnd()).isEqualTo(found.createdAt().plus(Duration.ofMinutes(10)));
        assertThat(found.fingerprint()).isEqualTo(Operation.content(7, 8));
        assertThat(found.attempts()).isEqualTo(1);
        assertThat(found.window()).isEqualTo(SlidingWindow.EMPTY);
        assertThat(found.payload()).isEqualTo(Operation.payload("by hand"));
        assertThat(found.updatedAt()).isEqualTo(found.createdAt());
        assertThat(found.expiresAt()).isEqualTo(found.createdAt().plus(Duration.ofMinutes(20)));
    }

    @Test
    void othersAreToldThatTheOperationIsInProgress() {
        Operation operation = operation();
        operation.claimed();

        for (Attempt other : new Attempt[] {
            operation.attempt(),
            operation.attempt().elsewhere(),
            operation.attempt().uncertain()
        }) {
            ClaimResult.InProgress refused = operation.mustAnswer(ClaimResult.InProgress.class, other);
            assertThat(refused.remaining()).isPositive().isLessThanOrEqualTo(Operation.LONG);
        }
    }

    @Test
    void ownerWhoNeverSawTheReplyMayAskAgain() {
        Operation operation = operation();
        Attempt owner = operation.attempt();
        ClaimResult.Claimed claimed = owner.claimed();

        operation.mustStay(() -> {
            ClaimResult.Claimed again = owner.elsewhere().claimed();
            assertThat(again.version()).isEqualTo(claimed.version());
            assertThat(again.attempts()).isEqualTo(claimed.attempts());
        });
    }

    @Test
    void ownerOfALaterAttemptMayAskAgainToo() {
        Operation operation = operation();
        operation.claimed().fail(BreakerPolicy.OFF);
        Attempt owner = operation.attempt();
        ClaimResult.Claimed claimed = owner.claimed();

        operation.mustStay(() -> {
            ClaimResult.Claimed again = owner.elsewhere().claimed();
            assertThat(again.version()).isEqualTo(claimed.version());
            assertThat(again.attempts()).isEqualTo(2);
        });
    }

    @Test
    void orphanIsTakenOver() {
        Operation operation = operation();
        operation.claimedFor(units(1));
        IdempotencyRecord orphan = operation.found();
        elapse(units(2));

        Attempt heir = operation.attempt().elsewhere().started(Operation.payload("heir"));
        ClaimResult.Claimed claimed = heir.claimed();

        assertThat(claimed.version()).isGreaterThan(orphan.version());
        assertThat(claimed.attempts()).isEqualTo(2);
        assertThat(claimed.previous()).isEqualTo(PreviousAttempt.ORPHANED);
        IdempotencyRecord found = operation.found();
        assertThat(found.status()).isEqualTo(RecordStatus.PENDING);
        assertThat(found.version()).isEqualTo(claimed.version());
        assertThat(found.owner()).isEqualTo(heir.owner());
        assertThat(found.payload()).isEqualTo(Operation.payload("heir"));
        assertThat(found.createdAt()).isEqualTo(orphan.createdAt());
        assertThat(found.updatedAt()).isAfter(orphan.updatedAt());
        assertThat(found.leaseEnd()).isEqualTo(found.updatedAt().plus(Operation.LONG));
        operation.mustAnswer(ClaimResult.InProgress.class, operation.attempt());
    }

    @Test
    void silentOwnerTakesOverLikeAnybodyElse() {
        Operation operation = operation();
        Attempt owner = operation.attempt().lease(units(1));
        long version = owner.claimed().version();
        elapse(units(2));

        operation.mustAnswer(
                ClaimResult.OutcomeUnknown.class,
                operation.attemptOf(owner.owner()).uncertain());
        ClaimResult.Claimed again = owner.lease(Operation.LONG).claimed();

        assertThat(again.version()).isGreaterThan(version);
        assertThat(again.attempts()).isEqualTo(2);
        assertThat(again.previous()).isEqualTo(PreviousAttempt.ORPHANED);
    }

    @Test
    void orphanIsLeftAloneIfItsOutcomeIsUncertain() {
        Operation operation = operation();
        operation.claimedFor(units(1));
        elapse(units(2));

        operation.mustAnswer(
                ClaimResult.OutcomeUnknown.class, operation.attempt().uncertain());
        operation.mustAnswer(
                ClaimResult.OutcomeUnknown.class,
                operation.attempt().elsewhere().uncertain());
    }

    @Test
    void completedOperationIsNeverClaimedAgain() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        owner.succeed();

        for (Attempt later : new Attempt[] {
            operation.attempt(),
            operation.attempt().elsewhere(),
            operation.attempt().uncertain(),
            operation.attemptOf(owner.owner())
        }) {
            ClaimResult.Completed completed = operation.mustAnswer(ClaimResult.Completed.class, later);
            assertThat(completed.found().payload()).isEqualTo(Operation.payload("answer"));
        }
    }

    @Test
    void failedOperationRunsAgain() {
        Operation operation = operation();
        operation.claimed().fail(opensAt(3));
        IdempotencyRecord failed = operation.found();

        Attempt next = operation.attempt().elsewhere().started(Operation.payload("again"));
        ClaimResult.Claimed claimed = next.claimed();

        assertThat(claimed.version()).isGreaterThan(failed.version());
        assertThat(claimed.attempts()).isEqualTo(2);
        assertThat(claimed.previous()).isEqualTo(PreviousAttempt.FAILED);
        IdempotencyRecord found = operation.found();
        assertThat(found.status()).isEqualTo(RecordStatus.PENDING);
        assertThat(found.owner()).isEqualTo(next.owner());
        assertThat(found.payload()).isEqualTo(Operation.payload("again"));
        assertThat(found.window()).isEqualTo(failed.window());
        assertThat(found.createdAt()).isEqualTo(failed.createdAt());
        assertThat(found.leaseEnd()).isEqualTo(found.updatedAt().plus(Operation.LONG));
        operation.mustAnswer(ClaimResult.InProgress.class, operation.attempt());
    }

    @Test
    void ownerWhoFailedMayTryAgainItself() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        owner.fail(BreakerPolicy.OFF);

        ClaimResult.Claimed again = owner.claimed();

        assertThat(again.attempts()).isEqualTo(2);
        assertThat(again.previous()).isEqualTo(PreviousAttempt.FAILED);
    }

    @Test
    void releasedOperationBeginsAnew() {
        Operation operation = operation();
        operation.claimed().fail(opensAt(3));
        operation.claimed().release();

        ClaimResult.Claimed claimed = operation.attempt().elsewhere().claimed();

        assertThat(claimed.attempts()).isEqualTo(1);
        assertThat(claimed.previous()).isEqualTo(PreviousAttempt.NONE);
        assertThat(operation.found().window()).isEqualTo(SlidingWindow.EMPTY);
    }

    @Test
    void attemptsCountEveryClaim() {
        Operation operation = operation();
        operation.claimed().fail(BreakerPolicy.OFF);
        operation.claimedFor(units(1));
        elapse(units(2));

        assertThat(operation.attempt().claimed().attempts()).isEqualTo(3);
        assertThat(operation.found().attempts()).isEqualTo(3);
    }

    @Test
    void sameDigestInAnotherBizTypeIsAnotherOperation() {
        Operation one = operation();
        Operation two =
                new Operation(RecordKey.ofHex("tck.operation2", one.key().hex()), one.here(), one.elsewhere());
        Attempt ownerOfOne = one.claimed();

        two.mustBeAbsent();
        Attempt ownerOfTwo = two.claimed();
        ownerOfOne.succeed();

        assertThat(two.found().status()).isEqualTo(RecordStatus.PENDING);
        two.mustAnswer(ClaimResult.InProgress.class, two.attempt());
        ownerOfTwo.release();
        two.mustBeAbsent();
        assertThat(one.found().status()).isEqualTo(RecordStatus.SUCCESS);
    }
}
