// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.Cooldown;
import dev.idempotency.breaker.SlidingWindow;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.PreviousAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

abstract class BreakerRules extends StoreRules {

    BreakerRules(IdempotencyStoreTck tck) {
        super(tck);
    }

    @Test
    void thirdFailureWithinTheWindowCoolsTheOperation() {
        Operation operation = operation();
        BreakerPolicy policy = new BreakerPolicy(3, Operation.LONG, Duration.ofMinutes(40));
        assertThat(operation.claimed().fail(policy).cooldown()).isEqualTo(Duration.ZERO);
        assertThat(operation.claimed().fail(policy).cooldown()).isEqualTo(Duration.ZERO);

        CompletionResult.Applied third = operation.claimed().fail(policy);

        assertThat(third.cooldown()).isEqualTo(policy.cooldown().first());
        IdempotencyRecord found = operation.found();
        assertThat(found.window().failures()).hasSize(3);
        assertThat(found.window().cooledUntil())
                .isEqualTo(found.updatedAt().plus(policy.cooldown().first()));
        for (Attempt attempt : new Attempt[] {
            operation.attempt(),
            operation.attempt().elsewhere(),
            operation.attempt().uncertain()
        }) {
            ClaimResult.CoolingDown refused = operation.mustAnswer(ClaimResult.CoolingDown.class, attempt);
            assertThat(refused.remaining())
                    .isPositive()
                    .isLessThanOrEqualTo(policy.cooldown().first());
        }
    }

    @Test
    void timesOfTheFailuresAreKeptInOrder() {
        Operation operation = operation();
        List<Instant> times = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            operation.claimed().fail(opensAt(4));
            times.add(operation.found().updatedAt());
        }

        assertThat(operation.found().window()).isEqualTo(SlidingWindow.closed(times));
    }

    @Test
    void asManyFailuresAsAPolicyMayAskForAreCounted() {
        Operation operation = operation();
        for (int i = 1; i < BreakerPolicy.MAX_FAILURES; i++) {
            Duration cooldown = operation
                    .claimed()
                    .fail(opensAt(BreakerPolicy.MAX_FAILURES))
                    .cooldown();
            assertThat(cooldown).isEqualTo(Duration.ZERO);
        }

        operation.claimed().fail(opensAt(BreakerPolicy.MAX_FAILURES));

        assertThat(operation.found().window().failures()).hasSize(BreakerPolicy.MAX_FAILURES);
        operation.mustAnswer(ClaimResult.CoolingDown.class, operation.attempt());
    }

    @Test
    void oneFailureIsEnoughIfThePolicySaysSo() {
        Operation operation = operation();

        operation.claimed().fail(opensAt(1));

        operation.mustAnswer(ClaimResult.CoolingDown.class, operation.attempt());
    }

    @Test
    void failuresOlderThanTheWindowDropOut() {
        Operation operation = operation();
        BreakerPolicy policy = new BreakerPolicy(2, units(1), Operation.LONG);
        operation.claimed().fail(policy);
        elapse(units(2));

        assertThat(operation.claimed().fail(policy).cooldown()).isEqualTo(Duration.ZERO);

        assertThat(operation.found().window().failures())
                .containsExactly(operation.found().updatedAt());
        operation.claimed();
    }

    @Test
    void windowSlidesWithTheFailures() {
        Operation operation = operation();
        BreakerPolicy policy = new BreakerPolicy(3, units(10), Operation.LONG);
        operation.claimed().fail(policy);
        elapse(units(8));
        operation.claimed().fail(policy);
        elapse(units(4));
        // The first is out of the window now. A window that began with it would have let go of the second as well.
        assertThat(operation.claimed().fail(policy).cooldown()).isEqualTo(Duration.ZERO);

        assertThat(operation.claimed().fail(policy).cooldown())
                .isEqualTo(policy.cooldown().first());
    }

    @Test
    void oneTrialRunsAfterTheCoolDown() {
        Operation operation = operation();
        operation.claimed().fail(new BreakerPolicy(1, Operation.LONG, units(1)));
        elapse(units(2));

        ClaimResult.Claimed trial = operation.attempt().claimed();

        assertThat(trial.previous()).isEqualTo(PreviousAttempt.FAILED);
        operation.mustAnswer(ClaimResult.InProgress.class, operation.attempt().elsewhere());
    }

    @Test
    void failedTrialCoolsAtOnce() {
        Operation operation = operation();
        BreakerPolicy first = new BreakerPolicy(2, units(1), units(1));
        BreakerPolicy then = new BreakerPolicy(2, units(1), Operation.LONG);
        Attempt trial = cooledOnce(operation, first);

        assertThat(trial.fail(then).cooldown()).isEqualTo(Operation.LONG);

        operation.mustAnswer(ClaimResult.CoolingDown.class, operation.attempt());
    }

    @Test
    void heirOfASilentTrialIsATrialToo() {
        Operation operation = operation();
        operation.claimed().fail(new BreakerPolicy(1, Operation.LONG, units(1)));
        elapse(units(2));
        operation.claimedFor(units(1));
        elapse(units(2));

        operation.claimed().fail(new BreakerPolicy(5, units(1), Operation.LONG));

        operation.mustAnswer(ClaimResult.CoolingDown.class, operation.attempt());
    }

    @Test
    void successfulTrialClearsTheWindow() {
        Operation operation = operation();
        Attempt trial = cooledOnce(operation, new BreakerPolicy(2, units(4), units(1)));

        trial.succeed();

        assertThat(operation.found().window()).isEqualTo(SlidingWindow.EMPTY);
        operation.mustAnswer(ClaimResult.Completed.class, operation.attempt());
    }

    @Test
    void releasedTrialClearsTheWindow() {
        Operation operation = operation();
        cooledOnce(operation, new BreakerPolicy(2, units(4), units(1))).release();

        assertThat(operation.claimed().fail(opensAt(2)).cooldown()).isEqualTo(Duration.ZERO);
    }

    @Test
    void noFailuresAreCountedWhereTheBreakerIsOff() {
        Operation operation = operation();
        for (int i = 0; i < 10; i++) {
            assertThat(operation.claimed().fail(BreakerPolicy.OFF).cooldown()).isEqualTo(Duration.ZERO);
        }

        assertThat(operation.found().window()).isEqualTo(SlidingWindow.EMPTY);
    }

    @Test
    void switchingTheBreakerOffEndsTheTrial() {
        Operation operation = operation();
        Attempt trial = cooledOnce(operation, new BreakerPolicy(2, units(4), units(1)));

        assertThat(trial.fail(BreakerPolicy.OFF).cooldown()).isEqualTo(Duration.ZERO);

        assertThat(operation.found().window()).isEqualTo(SlidingWindow.EMPTY);
        operation.claimed();
    }

    @Test
    void coolDownLongerThanTheTtlProlongsTheRecord() {
        Operation operation = operation();
        operation.claimed().fail(units(1), opensAt(1));
        assertThat(operation.found().expiresAt())
                .isEqualTo(operation.found().window().cooledUntil());
        elapse(units(2));

        operation.mustAnswer(ClaimResult.CoolingDown.class, operation.attempt());
    }

    @Test
    void coolDownGrowsWhileTrialsFail() {
        Operation operation = operation();
        BreakerPolicy policy =
                new BreakerPolicy(1, Operation.LONG, new Cooldown(Duration.ofMinutes(4), 2.3, Duration.ofMinutes(50)));

        operation.mustCoolFor(Duration.ofMinutes(4), operation.claimed().fail(policy));
        operation.mustCoolFor(Duration.ofSeconds(552), trial(operation).fail(policy));
        operation.mustCoolFor(Duration.ofMillis(1_269_600), trial(operation).fail(policy));
        operation.mustCoolFor(
                Duration.ofMillis(2_920_080), trial(operation).elsewhere().fail(policy));
        operation.mustCoolFor(Duration.ofMinutes(50), trial(operation).fail(policy));
        operation.mustCoolFor(Duration.ofMinutes(50), trial(operation).fail(policy));

        trial(operation).succeed();

        assertThat(operation.found().window()).isEqualTo(SlidingWindow.EMPTY);
    }

    @Test
    void coolDownGrowsByTheLatestPolicy() {
        Operation operation = operation();
        operation.claimed().fail(opensAt(1));
        Duration length = Duration.ofMinutes(7);

        // Shorter than the one before, and than three times that.
        BreakerPolicy shorter = new BreakerPolicy(1, Operation.LONG, new Cooldown(length, 3, Duration.ofMinutes(9)));
        operation.mustCoolFor(Duration.ofMinutes(9), trial(operation).fail(shorter));
        operation.mustCoolFor(length, trial(operation).fail(new BreakerPolicy(1, Operation.LONG, length)));
    }

    /** An attempt although the operation cools down. */
    private static Attempt trial(Operation operation) {
        return operation.attempt().redriveOf(operation.found().version()).mustClaim();
    }

    @Test
    void otherOperationsAreNotCooled() {
        Operation failing = operation();
        failing.claimed().fail(opensAt(1));

        operation().claimed();
    }

    /** The trial after two failures and one cool-down. */
    private Attempt cooledOnce(Operation operation, BreakerPolicy policy) {
        BreakerPolicy cooling = new BreakerPolicy(policy.failures(), Operation.LONG, policy.cooldown());
        operation.claimed().fail(cooling);
        operation.claimed().fail(cooling);
        elapse(policy.cooldown().first().multipliedBy(2));
        return operation.claimed();
    }
}
