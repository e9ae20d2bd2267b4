// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Completion;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

abstract class RenewalRules extends StoreRules {

    /** Longer than what a claim of the kit lasts by itself. */
    private static final Duration LONGER = Operation.LONG.multipliedBy(3);

    RenewalRules(IdempotencyStoreTck tck) {
        super(tck);
    }

    @Test
    void nothingToRenewIsNothing() {
        assertThat(operation().here().renew(List.of())).isEmpty();
    }

    @Test
    void eachOfManyIsRenewedForTimesOfItsOwn() {
        List<Attempt> owners = new ArrayList<>();
        List<Renewal> renewals = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Attempt owner = operation().claimed();
            owners.add(owner);
            renewals.add(owner.renewal(LONGER.plusHours(i % 3), LONGER.plusHours(10 + i % 7)));
        }
        Operation bystander = owners.get(0).operation();
        renewals.remove(0);

        bystander.mustStay(() -> assertThat(bystander.elsewhere().renew(renewals))
                .hasSameSizeAs(renewals)
                .containsOnly(RenewalResult.RENEWED));

        for (int i = 0; i < renewals.size(); i++) {
            IdempotencyRecord after = owners.get(i + 1).operation().found();
            Renewal renewal = renewals.get(i);
            Duration later = Duration.between(after.updatedAt().plus(renewal.lease()), after.leaseEnd());
            assertThat(later).isBetween(Duration.ZERO, Operation.LONG.dividedBy(2));
            assertThat(after.expiresAt())
                    .isEqualTo(after.leaseEnd().plus(renewal.ttl()).minus(renewal.lease()));
        }
    }

    @Test
    void eachIsToldForItselfWhetherItHeldInTheOrderOfTheQuestions() {
        Attempt over = operation().claimedFor(units(1));
        Attempt gone = operation().attempt().lease(units(1)).ttl(units(1)).mustClaim();
        elapse(units(2));
        Attempt done = operation().claimed();
        done.succeed();
        Attempt released = operation().claimed();
        released.release();
        Attempt stranger = operation().claimed().operation().attempt();
        Attempt nobody = operation().attempt();
        List<Attempt> lost = List.of(over, gone, done, released, stranger, nobody);
        List<Attempt> asked = new ArrayList<>();
        List<RenewalResult> expected = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            for (Attempt attempt : lost.subList(2 * i, 2 * i + 2)) {
                asked.add(attempt);
                expected.add(RenewalResult.LOST);
            }
            asked.add(operation().claimed());
            expected.add(RenewalResult.RENEWED);
        }

        assertEachIsTold(asked, expected);
        Collections.reverse(asked);
        Collections.reverse(expected);
        assertEachIsTold(asked, expected);
    }

    private void assertEachIsTold(List<Attempt> asked, List<RenewalResult> expected) {
        List<Renewal> renewals =
                asked.stream().map(attempt -> attempt.renewal(LONGER, LONGER)).toList();
        Operation done = asked.stream()
                .map(Attempt::operation)
                .filter(operation -> operation.isFound() && operation.found().status() == RecordStatus.SUCCESS)
                .findFirst()
                .orElseThrow();

        done.mustStay(() -> assertThat(done.here().renew(renewals)).isEqualTo(expected));

        for (int i = 0; i < asked.size(); i++) {
            Operation operation = asked.get(i).operation();
            boolean extended = operation.isFound()
                    && operation
                            .found()
                            .leaseEnd()
                            .isAfter(operation.found().createdAt().plus(LONGER.minusMinutes(1)));
            assertThat(extended)
                    .as("renewal %d of %s", i, expected)
                    .isEqualTo(expected.get(i) == RenewalResult.RENEWED);
        }
    }

    @Test
    void ownersOfOneAnotherAreStrangers() {
        Attempt one = operation().claimed();
        Attempt other = operation().claimed();

        one.operation()
                .mustStay(() -> other.operation()
                        .mustStay(() -> assertThat(one.operation()
                                        .here()
                                        .renew(List.of(
                                                one.operation()
                                                        .attemptOf(other.owner())
                                                        .renewal(LONGER, LONGER),
                                                other.operation()
                                                        .attemptOf(one.owner())
                                                        .renewal(LONGER, LONGER))))
                                .containsOnly(RenewalResult.LOST)));
    }

    @Test
    void keysThatDifferInTheirBizTypeOnlyAreDifferent() {
        Operation operation = operation();
        String hex = operation.key().hex();
        OwnerToken owner = OwnerToken.random();
        List<Attempt> claims = new ArrayList<>();
        for (String bizType : List.of("tck.a", "tck.b", "tck.c")) {
            Operation twin = new Operation(RecordKey.ofHex(bizType, hex), operation.here(), operation.elsewhere());
            claims.add(twin.attemptOf(owner).mustClaim());
        }
        Operation untouched = claims.get(1).operation();

        untouched.mustStay(() -> assertThat(operation
                        .here()
                        .renew(List.of(
                                claims.get(0).renewal(LONGER, LONGER),
                                claims.get(2).renewal(LONGER.multipliedBy(2), LONGER.multipliedBy(2)))))
                .containsOnly(RenewalResult.RENEWED));

        assertThat(claims.get(2).operation().found().leaseEnd())
                .isAfter(claims.get(0).operation().found().leaseEnd().plus(Operation.LONG));
    }

    @Test
    void asManyAsAllowedAreRenewedAtOnce() {
        Attempt first = operation().claimed();
        Attempt last = operation().claimed();
        List<Renewal> renewals = new ArrayList<>();
        renewals.add(first.renewal(LONGER, LONGER));
        while (renewals.size() < IdempotencyStore.MAX_RENEWALS - 1) {
            renewals.add(operation().attempt().renewal(LONGER, LONGER));
        }
        renewals.add(last.renewal(LONGER, LONGER));

        List<RenewalResult> results = first.operation().here().renew(renewals);

        assertThat(results).hasSize(IdempotencyStore.MAX_RENEWALS);
        assertThat(results.get(0)).isEqualTo(RenewalResult.RENEWED);
        assertThat(results.get(results.size() - 1)).isEqualTo(RenewalResult.RENEWED);
        assertThat(results.subList(1, results.size() - 1)).containsOnly(RenewalResult.LOST);
    }

    /** Half of the claims end while they are renewed. */
    @Test
    void endsThatComeMeanwhileKeepNoOtherFromBeingRenewed() {
        record Pair(Attempt ending, Attempt working) {}
        List<Race.Round<Pair, List<RenewalResult>, Boolean>> raced = Race.run(
                Math.max(20, rounds() / 10),
                () -> new Pair(operation().claimed(), operation().claimed()),
                pair -> pair.working()
                        .operation()
                        .elsewhere()
                        .renew(List.of(
                                pair.ending().renewal(LONGER, LONGER),
                                pair.working().renewal(LONGER, LONGER))),
                pair -> {
                    pair.ending().applied(new Completion.Success(Operation.payload("answer"), Operation.LONG));
                    return true;
                });

        for (Race.Round<Pair, List<RenewalResult>, Boolean> round : raced) {
            assertThat(round.left().get(1)).isEqualTo(RenewalResult.RENEWED);
            assertThat(round.subject().ending().operation().found().status()).isEqualTo(RecordStatus.SUCCESS);
        }
    }
}
