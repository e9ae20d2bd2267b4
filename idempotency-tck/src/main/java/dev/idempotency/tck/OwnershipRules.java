// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.RecordStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

abstract class OwnershipRules extends StoreRules {

    private static final List<Completion> EVERY_END = List.of(
            new Completion.Success(Operation.payload("late"), Operation.LONG),
            new Completion.Failure(Operation.payload("late"), Operation.LONG, BreakerPolicy.DEFAULT),
            new Completion.Release());

    OwnershipRules(IdempotencyStoreTck tck) {
        super(tck);
    }

    @Test
    void strangerCannotEndOrRenewAClaim() {
        Operation operation = operation();
        operation.claimed();

        operation.mustStay(() -> mustBeStale(operation.attempt()));
        operation.mustStay(() -> mustBeStale(operation.attempt().elsewhere()));
    }

    @Test
    void strangerCannotTouchAnEndedOperation() {
        Operation done = operation();
        done.claimed().succeed();
        Operation failed = operation();
        failed.claimed().fail(BreakerPolicy.OFF);

        done.mustStay(() -> mustBeStale(done.attempt()));
        failed.mustStay(() -> mustBeStale(failed.attempt()));
    }

    @Test
    void nobodyCanEndWhatWasNeverClaimed() {
        Operation operation = operation();

        mustBeStale(operation.attempt());

        operation.mustBeAbsent();
    }

    @Test
    void ownerCannotEndOrRenewAClaimWhoseLeaseIsOver() {
        Operation operation = operation();
        Attempt owner = operation.claimedFor(units(1));
        elapse(units(2));

        operation.mustStay(() -> mustBeStale(owner));

        operation.mustAnswer(
                ClaimResult.OutcomeUnknown.class, operation.attempt().uncertain());
    }

    @Test
    void lateOwnerCannotDisturbTheNextOne() {
        Operation operation = operation();
        Attempt late = operation.claimedFor(units(1));
        elapse(units(2));
        Attempt heir = operation.claimed();

        operation.mustStay(() -> mustBeStale(late));
        heir.succeed();
        operation.mustStay(() -> mustBeStale(late));
    }

    @Test
    void lateOwnerCannotBringAnExpiredRecordBack() {
        Operation operation = operation();
        Attempt late = operation.attempt().lease(units(1)).ttl(units(1)).mustClaim();
        elapse(units(2));

        mustBeStale(late);

        operation.mustBeAbsent();
    }

    @Test
    void lateOwnerCannotBringAnEndedRecordBack() {
        Operation done = operation();
        Attempt succeeded = done.claimed();
        succeeded.succeed(units(1));
        Operation failed = operation();
        Attempt unlucky = failed.claimed();
        unlucky.fail(units(1), BreakerPolicy.OFF);
        elapse(units(2));

        mustBeStale(succeeded);
        mustBeStale(unlucky);

        done.mustBeAbsent();
        failed.mustBeAbsent();
    }

    @Test
    void ownerCannotEndOrRenewWhatItReleased() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        owner.release();

        mustBeStale(owner);
        operation.mustBeAbsent();

        operation.claimed();
        operation.mustStay(() -> mustBeStale(owner));
    }

    @Test
    void ownerOfAnEarlierAttemptCannotEndALaterOne() {
        Operation operation = operation();
        Attempt earlier = operation.claimed();
        earlier.fail(BreakerPolicy.OFF);
        operation.claimed();

        operation.mustStay(() -> mustBeStale(earlier));
    }

    @Test
    void endedOperationCannotBeRenewed() {
        Operation done = operation();
        Attempt succeeded = done.claimed();
        succeeded.succeed();
        Operation failed = operation();
        Attempt unlucky = failed.claimed();
        unlucky.fail(BreakerPolicy.OFF);

        done.mustStay(() -> assertThat(succeeded.renew(Operation.LONG, Operation.LONG.multipliedBy(5)))
                .isFalse());
        failed.mustStay(() -> assertThat(unlucky.renew(Operation.LONG, Operation.LONG.multipliedBy(5)))
                .isFalse());
    }

    @Test
    void renewalChangesTheLeaseAndTheExpiryOnly() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        IdempotencyRecord before = operation.found();

        assertThat(owner.elsewhere().renew(Operation.LONG.multipliedBy(3), Operation.LONG.multipliedBy(4)))
                .isTrue();

        IdempotencyRecord after = operation.found();
        assertThat(after.leaseEnd()).isAfterOrEqualTo(before.leaseEnd().plus(Operation.LONG.multipliedBy(2)));
        assertThat(after.expiresAt()).isEqualTo(after.leaseEnd().plus(Operation.LONG));
        assertThat(after)
                .usingRecursiveComparison()
                .ignoringFields("leaseEnd", "expiresAt")
                .isEqualTo(before);
    }

    @Test
    void renewedClaimOutlivesItsFirstLease() {
        Operation operation = operation();
        Attempt owner = operation.attempt().lease(units(4)).ttl(units(4)).mustClaim();
        assertThat(owner.renew(Operation.LONG, Operation.LONG)).isTrue();
        elapse(units(5));

        operation.mustAnswer(ClaimResult.InProgress.class, operation.attempt());
        owner.succeed();
        assertThat(operation.found().status()).isEqualTo(RecordStatus.SUCCESS);
    }

    @Test
    void renewedLeaseCountsFromTheRenewal() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        assertThat(owner.renew(units(1), Operation.LONG)).isTrue();
        elapse(units(2));

        operation.mustStay(() -> mustBeStale(owner));
        assertThat(operation.attempt().claimed().attempts()).isEqualTo(2);
    }

    private static void mustBeStale(Attempt attempt) {
        for (Completion end : EVERY_END) {
            assertThat(attempt.complete(end)).as("%s", end).isEqualTo(new CompletionResult.Stale());
        }
        assertThat(attempt.renew(Operation.LONG, Operation.LONG)).as("renew").isFalse();
    }
}
