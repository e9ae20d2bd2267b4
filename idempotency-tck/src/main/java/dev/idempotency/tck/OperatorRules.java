// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.PreviousAttempt;
import dev.idempotency.store.ReleaseResult;
import dev.idempotency.tck.Race.Round;
import java.util.List;
import org.junit.jupiter.api.Test;

abstract class OperatorRules extends StoreRules {

    OperatorRules(IdempotencyStoreTck tck) {
        super(tck);
    }

    @Test
    void redriveRunsWhileTheOperationCoolsDown() {
        Operation operation = operation();
        operation.claimed().fail(opensAt(1));
        long parked = operation.found().version();

        ClaimResult.Claimed claimed =
                operation.attempt().elsewhere().redriveOf(parked).claimed();

        assertThat(claimed.previous()).isEqualTo(PreviousAttempt.FAILED);
        assertThat(claimed.version()).isGreaterThan(parked);
        operation.mustAnswer(ClaimResult.InProgress.class, operation.attempt());
    }

    @Test
    void redriveThatFailsCoolsTheOperationAgain() {
        Operation operation = operation();
        operation.claimed().fail(opensAt(1));

        Attempt redrive =
                operation.attempt().redriveOf(operation.found().version()).mustClaim();

        assertThat(redrive.fail(opensAt(1)).cooldown()).isEqualTo(Operation.LONG);
        operation.mustAnswer(ClaimResult.CoolingDown.class, operation.attempt());
    }

    @Test
    void redriveTakesTheOrphanOverThatItIsAbout() {
        Operation operation = operation();
        operation.claimedFor(units(1));
        elapse(units(2));
        long orphan = operation.found().version();

        ClaimResult.Claimed claimed =
                operation.attempt().uncertain().redriveOf(orphan).claimed();

        assertThat(claimed.previous()).isEqualTo(PreviousAttempt.ORPHANED);
    }

    /** Otherwise a redrive that is tried again after a crash could have a second effect. */
    @Test
    void redriveLeavesALaterOrphanAlone() {
        Operation operation = operation();
        operation.claimedFor(units(1));
        elapse(units(2));
        long orphan = operation.found().version();
        operation.attempt().uncertain().redriveOf(orphan).lease(units(1)).mustClaim();
        elapse(units(2));

        operation.mustAnswer(
                ClaimResult.OutcomeUnknown.class,
                operation.attempt().uncertain().redriveOf(orphan));
    }

    @Test
    void redriveOverrulesNeitherALiveClaimNorASuccessNorOtherContent() {
        Operation live = operation();
        live.claimed();
        Operation done = operation();
        done.claimed().succeed();
        Operation cooled = operation();
        cooled.claimed().fail(opensAt(1));

        live.mustAnswer(
                ClaimResult.InProgress.class,
                live.attempt().redriveOf(live.found().version()));
        done.mustAnswer(
                ClaimResult.Completed.class,
                done.attempt().redriveOf(done.found().version()));
        cooled.mustAnswer(
                ClaimResult.KeyReused.class,
                cooled.attempt()
                        .content(Operation.content(2))
                        .redriveOf(cooled.found().version()));
    }

    @Test
    void releasedClaimIsGoneAndItsOwnerStale() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        long version = operation.found().version();

        assertThat(operation.elsewhere().release(operation.key(), version)).isEqualTo(ReleaseResult.RELEASED);

        operation.mustBeAbsent();
        assertThat(owner.complete(new Completion.Release())).isInstanceOf(CompletionResult.Stale.class);
        assertThat(operation.attempt().claimed().version()).isGreaterThan(version);
    }

    @Test
    void releaseEndsACoolDownAndForgetsAnOrphan() {
        Operation cooled = operation();
        cooled.claimed().fail(opensAt(1));
        Operation orphan = operation();
        orphan.claimedFor(units(1));
        elapse(units(2));

        for (Operation stuck : List.of(cooled, orphan)) {
            assertThat(stuck.here().release(stuck.key(), stuck.found().version()))
                    .isEqualTo(ReleaseResult.RELEASED);
            assertThat(stuck.attempt().uncertain().claimed().attempts()).isEqualTo(1);
        }
    }

    @Test
    void releaseOfAnotherVersionOrOfASuccessChangesNothing() {
        Operation operation = operation();
        operation.claimed().fail(BreakerPolicy.OFF);
        long before = operation.found().version();
        operation.claimed();
        Operation done = operation();
        done.claimed().succeed();

        operation.mustStay(() ->
                assertThat(operation.here().release(operation.key(), before)).isEqualTo(ReleaseResult.REFUSED));
        done.mustStay(
                () -> assertThat(done.here().release(done.key(), done.found().version()))
                        .isEqualTo(ReleaseResult.REFUSED));
    }

    @Test
    void whatIsNotThereCannotBeReleased() {
        Operation never = operation();
        Operation expired = operation();
        long version = expired.attempt().lease(units(1)).ttl(units(1)).claimed().version();
        elapse(units(2));

        assertThat(never.here().release(never.key(), 1)).isEqualTo(ReleaseResult.ABSENT);
        assertThat(expired.here().release(expired.key(), version)).isEqualTo(ReleaseResult.ABSENT);
    }

    @Test
    void releaseNeverRemovesAClaimThatIsMadeMeanwhile() {
        List<Round<Attempt, ReleaseResult, ClaimResult.Claimed>> rounds = Race.run(
                rounds(),
                () -> {
                    Operation operation = operation();
                    operation.claimed().fail(BreakerPolicy.OFF);
                    return operation.attempt().redriveOf(operation.found().version());
                },
                seen -> seen.operation().here().release(seen.operation().key(), seen.redriveOf()),
                seen -> seen.elsewhere().claimed());

        for (Round<Attempt, ReleaseResult, ClaimResult.Claimed> round : rounds) {
            boolean releasedFirst = round.right().attempts() == 1;
            assertThat(round.left()).isEqualTo(releasedFirst ? ReleaseResult.RELEASED : ReleaseResult.REFUSED);
            assertThat(round.subject().operation().found().version())
                    .isEqualTo(round.right().version());
        }
    }
}
