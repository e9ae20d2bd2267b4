// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.PreviousAttempt;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.tck.Race.Round;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

abstract class RaceRules extends StoreRules {

    private static final Completion SUCCESS = new Completion.Success(Operation.payload("answer"), Operation.LONG);
    private static final Completion FAILURE =
            new Completion.Failure(Operation.payload("failure"), Operation.LONG, BreakerPolicy.OFF);

    private static final Duration SHORTEST = Duration.ofNanos(400_000);
    private static final long LONGEST_DELAY_NANOS = 1_200_000;
    private static final int DELAY_MAGNITUDES = 13;

    RaceRules(IdempotencyStoreTck tck) {
        super(tck);
    }

    @Test
    void oneOfTwoClaimsWins() {
        raceTwoClaims(this::operation, 1);
    }

    @Test
    void oneOfTwoHeirsTakesAnOrphanOver() {
        Queue<Operation> orphans = new ArrayDeque<>();
        for (int i = 0; i < rounds(); i++) {
            Operation operation = operation();
            operation.claimedFor(SHORTEST);
            orphans.add(operation);
        }
        elapse(units(1));

        raceTwoClaims(orphans::remove, 2);
    }

    @Test
    void oneOfTwoRepeatsRunsAfterAFailure() {
        Supplier<Operation> failed = () -> {
            Operation operation = operation();
            operation.claimed().fail(BreakerPolicy.OFF);
            return operation;
        };

        raceTwoClaims(failed, 2);
    }

    @Test
    void oneOfTwoRepeatsIsTheTrialAfterACoolDown() {
        Queue<Operation> cooled = new ArrayDeque<>();
        for (int i = 0; i < rounds(); i++) {
            Operation operation = operation();
            operation.claimed().fail(new BreakerPolicy(1, Operation.LONG, SHORTEST));
            cooled.add(operation);
        }
        elapse(units(1));

        raceTwoClaims(cooled::remove, 2);
    }

    @Test
    void ownerWhoAsksTwiceAtOnceIsOneOwner() {
        List<Round<Attempt, ClaimResult, ClaimResult>> rounds = Race.run(
                rounds(),
                () -> operation().attempt(),
                Attempt::claim,
                owner -> twin(owner).claim());

        check(rounds, round -> {
            assertThat(round.left()).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(round.right()).isEqualTo(round.left());
        });
    }

    @Test
    void ownerEndsItsClaimOnlyOnce() {
        List<Round<Attempt, CompletionResult, CompletionResult>> rounds = Race.run(
                rounds(),
                () -> operation().claimed(),
                owner -> owner.complete(SUCCESS),
                owner -> twin(owner).complete(FAILURE));

        check(rounds, round -> {
            assertThat(List.of(round.left(), round.right()))
                    .hasAtLeastOneElementOfType(CompletionResult.Applied.class)
                    .hasAtLeastOneElementOfType(CompletionResult.Stale.class);
            boolean succeeded = round.left() instanceof CompletionResult.Applied;
            assertThat(round.subject().operation().found().status())
                    .isEqualTo(succeeded ? RecordStatus.SUCCESS : RecordStatus.FAILED);
        });
    }

    @Test
    void claimSeesTheOperationBeforeOrAfterItsSuccess() {
        List<Round<Attempt, CompletionResult, ClaimResult>> rounds = raceEndAgainstClaim(SUCCESS);

        check(rounds, round -> {
            assertThat(round.left()).isInstanceOf(CompletionResult.Applied.class);
            assertThat(round.right()).isInstanceOfAny(ClaimResult.InProgress.class, ClaimResult.Completed.class);
            IdempotencyRecord found = round.subject().operation().found();
            assertThat(found.status()).isEqualTo(RecordStatus.SUCCESS);
            assertThat(found.attempts()).isEqualTo(1);
        });
    }

    @Test
    void claimSeesTheOperationBeforeOrAfterItsFailure() {
        List<Round<Attempt, CompletionResult, ClaimResult>> rounds = raceEndAgainstClaim(FAILURE);

        check(rounds, round -> {
            Operation operation = round.subject().operation();
            assertThat(round.left()).isInstanceOf(CompletionResult.Applied.class);
            if (round.right() instanceof ClaimResult.Claimed claimed) {
                assertThat(claimed.attempts()).isEqualTo(2);
                assertThat(claimed.previous()).isEqualTo(PreviousAttempt.FAILED);
                assertThat(operation.found().version()).isEqualTo(claimed.version());
            } else {
                assertThat(round.right()).isInstanceOf(ClaimResult.InProgress.class);
                assertThat(operation.found().status()).isEqualTo(RecordStatus.FAILED);
            }
        });
    }

    @Test
    void claimSeesTheOperationBeforeOrAfterItsRelease() {
        List<Round<Attempt, CompletionResult, ClaimResult>> rounds = raceEndAgainstClaim(new Completion.Release());

        check(rounds, round -> {
            Operation operation = round.subject().operation();
            assertThat(round.left()).isInstanceOf(CompletionResult.Applied.class);
            if (round.right() instanceof ClaimResult.Claimed claimed) {
                assertThat(claimed.attempts()).isEqualTo(1);
                assertThat(operation.found().version()).isEqualTo(claimed.version());
            } else {
                assertThat(round.right()).isInstanceOf(ClaimResult.InProgress.class);
                operation.mustBeAbsent();
            }
        });
    }

    @Test
    void lateSuccessAndTakeOverExcludeEachOther() {
        List<Round<Attempt, CompletionResult, ClaimResult>> rounds =
                raceAtTheEndOfTheLease(owner -> owner.complete(SUCCESS));

        check(rounds, round -> {
            boolean inTime = round.left() instanceof CompletionResult.Applied;
            assertThat(round.right()).isInstanceOf(inTime ? ClaimResult.Completed.class : ClaimResult.Claimed.class);
            assertThat(round.subject().operation().found().attempts()).isEqualTo(inTime ? 1 : 2);
        });
    }

    @Test
    void lateReleaseAndTakeOverExcludeEachOther() {
        List<Round<Attempt, CompletionResult, ClaimResult>> rounds =
                raceAtTheEndOfTheLease(owner -> owner.complete(new Completion.Release()));

        check(rounds, round -> {
            boolean inTime = round.left() instanceof CompletionResult.Applied;
            assertThat(round.right()).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(round.subject().operation().found().attempts()).isEqualTo(inTime ? 1 : 2);
        });
    }

    @Test
    void lateRenewalAndTakeOverExcludeEachOther() {
        List<Round<Attempt, Boolean, ClaimResult>> rounds =
                raceAtTheEndOfTheLease(owner -> owner.renew(Operation.LONG, Operation.LONG));

        check(rounds, round -> {
            boolean inTime = round.left();
            assertThat(round.right()).isInstanceOf(inTime ? ClaimResult.InProgress.class : ClaimResult.Claimed.class);
            assertThat(round.subject().operation().found().attempts()).isEqualTo(inTime ? 1 : 2);
        });
    }

    /** One claims, the other learns that it is too late, and the record has seen as many claims as it should. */
    private void raceTwoClaims(Supplier<Operation> operations, int attempts) {
        List<Round<Operation, ClaimResult, ClaimResult>> rounds = Race.run(
                rounds(),
                operations,
                operation -> operation.attempt().claim(),
                operation -> operation.attempt().elsewhere().claim());

        check(rounds, round -> {
            assertThat(List.of(round.left(), round.right()))
                    .hasAtLeastOneElementOfType(ClaimResult.Claimed.class)
                    .hasAtLeastOneElementOfType(ClaimResult.InProgress.class);
            assertThat(round.subject().found().attempts()).isEqualTo(attempts);
        });
    }

    private List<Round<Attempt, CompletionResult, ClaimResult>> raceEndAgainstClaim(Completion end) {
        return Race.run(
                rounds(),
                () -> operation().claimed(),
                owner -> owner.complete(end),
                owner -> owner.operation().attempt().elsewhere().claim());
    }

    private <L> List<Round<Attempt, L, ClaimResult>> raceAtTheEndOfTheLease(Function<Attempt, L> lateStep) {
        return Race.run(
                rounds(),
                () -> operation().claimedFor(SHORTEST),
                owner -> {
                    spinForAWhile();
                    return lateStep.apply(owner);
                },
                owner -> claimOnceTheLeaseIsOver(owner.operation()));
    }

    /** Of every magnitude up to a few milliseconds, as it is not known how long the other thread takes. */
    private static void spinForAWhile() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long nanos = random.nextLong(LONGEST_DELAY_NANOS) >>> random.nextInt(DELAY_MAGNITUDES);
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            Thread.onSpinWait();
        }
    }

    private ClaimResult claimOnceTheLeaseIsOver(Operation operation) {
        while (true) {
            elapse(SHORTEST);
            ClaimResult result = operation.attempt().elsewhere().claim();
            boolean firstLeaseHolds = result instanceof ClaimResult.InProgress inProgress
                    && inProgress.remaining().compareTo(SHORTEST) <= 0;
            if (!firstLeaseHolds) {
                return result;
            }
        }
    }

    /** The same owner, as its request arrives at the other instance. */
    private static Attempt twin(Attempt owner) {
        return owner.operation().attemptOf(owner.owner()).elsewhere();
    }

    private static <S, L, R> void check(List<Round<S, L, R>> rounds, Consumer<Round<S, L, R>> rule) {
        for (int i = 0; i < rounds.size(); i++) {
            try {
                rule.accept(rounds.get(i));
            } catch (AssertionError e) {
                throw new AssertionError("round " + i + " of " + rounds.size() + ": " + e.getMessage(), e);
            }
        }
    }
}
