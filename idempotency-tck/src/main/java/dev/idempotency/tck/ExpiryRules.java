// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.PreviousAttempt;
import dev.idempotency.store.RecordStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

abstract class ExpiryRules extends StoreRules {

    private static final Duration TEN_YEARS = Duration.ofDays(3652);
    private static final Duration SHORTEST = Duration.ofMillis(1);

    ExpiryRules(IdempotencyStoreTck tck) {
        super(tck);
    }

    @Test
    void successIsForgottenAfterItsTtl() {
        Operation operation = operation();
        operation.claimed().succeed(units(1));
        elapse(units(2));

        mustBeginAnew(operation);
    }

    @Test
    void replaysDoNotProlongASuccess() {
        Operation operation = operation();
        operation.claimed().succeed(units(8));
        elapse(units(4));
        operation.mustAnswer(ClaimResult.Completed.class, operation.attempt());
        operation.mustAnswer(ClaimResult.KeyReused.class, operation.attempt().content(Operation.content(2)));
        elapse(units(5));

        mustBeginAnew(operation);
    }

    @Test
    void successAskedForAgainDoesNotProlongIt() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        owner.succeed(units(6));
        owner.succeed(Operation.LONG);
        elapse(units(7));

        mustBeginAnew(operation);
    }

    @Test
    void failureOutlivesTheClaimThatItEnds() {
        Operation operation = operation();
        operation.attempt().lease(units(4)).ttl(units(4)).mustClaim().fail(Operation.LONG, BreakerPolicy.OFF);
        elapse(units(5));

        assertThat(operation.found().status()).isEqualTo(RecordStatus.FAILED);
    }

    @Test
    void failureIsForgottenAfterItsOwnTtl() {
        Operation operation = operation();
        operation.claimed().fail(units(1), opensAt(3));
        elapse(units(2));

        mustBeginAnew(operation);
        operation.claimed().fail(opensAt(2));
        assertThat(operation.found().window().failures()).hasSize(1);
    }

    @Test
    void orphanIsForgottenAfterTheTtlOfItsClaim() {
        Operation operation = operation();
        operation.attempt().lease(units(1)).ttl(units(2)).mustClaim();
        elapse(units(3));

        ClaimResult.Claimed claimed = operation.attempt().uncertain().claimed();

        assertThat(claimed.attempts()).isEqualTo(1);
        assertThat(claimed.previous()).isEqualTo(PreviousAttempt.NONE);
    }

    @Test
    void orphanIsRememberedUntilTheTtlOfItsClaim() {
        Operation operation = operation();
        operation.attempt().lease(SHORTEST).ttl(Operation.LONG).mustClaim();
        elapse(units(1));

        assertThat(operation.found().status()).isEqualTo(RecordStatus.PENDING);
    }

    @Test
    void shortestTimesPass() {
        Operation claimed = operation();
        claimed.attempt().lease(SHORTEST).ttl(SHORTEST).mustClaim();
        Operation done = operation();
        done.claimed().succeed(SHORTEST);
        Operation failed = operation();
        failed.claimed().fail(SHORTEST, new BreakerPolicy(1, SHORTEST, SHORTEST));
        Operation renewed = operation();
        assertThat(renewed.claimed().renew(SHORTEST, SHORTEST)).isTrue();
        elapse(units(1));

        for (Operation operation : List.of(claimed, done, failed, renewed)) {
            mustBeginAnew(operation);
        }
    }

    @Test
    void tenYearsDoNotOverflow() {
        Operation operation = operation();
        Attempt owner = operation.attempt().lease(TEN_YEARS).ttl(TEN_YEARS).mustClaim();
        IdempotencyRecord pending = operation.found();
        assertThat(pending.leaseEnd()).isEqualTo(pending.createdAt().plus(TEN_YEARS));
        assertThat(pending.expiresAt()).isEqualTo(pending.createdAt().plus(TEN_YEARS));
        assertThat(owner.renew(TEN_YEARS, TEN_YEARS)).isTrue();
        operation.mustAnswer(ClaimResult.InProgress.class, operation.attempt());

        owner.fail(TEN_YEARS, new BreakerPolicy(1, TEN_YEARS, TEN_YEARS));
        IdempotencyRecord failed = operation.found();
        assertThat(failed.expiresAt()).isEqualTo(failed.updatedAt().plus(TEN_YEARS));
        operation.mustAnswer(ClaimResult.CoolingDown.class, operation.attempt());

        Operation done = operation();
        done.claimed().succeed(TEN_YEARS);
        assertThat(done.found().expiresAt()).isEqualTo(done.found().updatedAt().plus(TEN_YEARS));
        done.mustAnswer(ClaimResult.Completed.class, done.attempt());
    }

    @Test
    void versionGrowsAtEveryStepAndIsNeverRepeated() {
        Operation operation = operation();
        List<Long> versions = new ArrayList<>();

        Attempt failing = operation.attempt();
        versions.add(failing.claimed().version());
        versions.add(failing.fail(BreakerPolicy.OFF).version());
        Attempt silent = operation.attempt().lease(units(1));
        versions.add(silent.claimed().version());
        elapse(units(2));
        Attempt heir = operation.attempt();
        versions.add(heir.claimed().version());
        heir.release();
        Attempt next = operation.attempt();
        versions.add(next.claimed().version());
        versions.add(next.succeed(units(1)).version());
        elapse(units(2));
        versions.add(operation.attempt().claimed().version());

        assertThat(versions).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void versionGrowsHoweverQuicklyAnOperationIsReleasedAndClaimedAgain() {
        Operation operation = operation();
        long last = 0;
        for (int i = 0; i < 100; i++) {
            Attempt failing = operation.attempt();
            long claimed = failing.claimed().version();
            long failed = failing.fail(BreakerPolicy.OFF).version();
            Attempt releasing = operation.attempt();
            long claimedAgain = releasing.claimed().version();
            releasing.release();

            assertThat(List.of(last, claimed, failed, claimedAgain)).isSorted().doesNotHaveDuplicates();
            last = claimedAgain;
        }
    }

    private static void mustBeginAnew(Operation operation) {
        operation.mustBeAbsent();
        Attempt attempt = operation.attempt();
        ClaimResult.Claimed claimed = attempt.claimed();
        assertThat(claimed.attempts()).isEqualTo(1);
        assertThat(claimed.previous()).isEqualTo(PreviousAttempt.NONE);
        assertThat(operation.found().owner()).isEqualTo(attempt.owner());
        attempt.release();
    }
}
