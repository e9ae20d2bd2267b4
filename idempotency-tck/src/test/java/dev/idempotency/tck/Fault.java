// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static dev.idempotency.tck.RecordEdit.edit;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.SlidingWindow;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordStateMachine.Step;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.ReleaseResult;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Faults that a store can have, each with the tests of the kit that must find it. */
@SuppressWarnings("ImmutableEnumChecker") // the functions hold nothing
enum Fault {
    STEPS_GET_THEN_SET(
            List.of(
                    "oneOfTwoClaimsWins",
                    "oneOfTwoHeirsTakesAnOrphanOver",
                    "ownerEndsItsClaimOnlyOnce",
                    "releaseNeverRemovesAClaimThatIsMadeMeanwhile"),
            Racy::new),
    OWNER_NOT_CHECKED("strangerCannotEndOrRenewAClaim", clock -> new SteppedStore(clock) {
        @Override
        Step<CompletionResult> complete(
                IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
            return super.complete(current, current == null ? owner : current.owner(), completion, now);
        }
    }),
    OWNER_OF_A_RENEWAL_NOT_CHECKED("strangerCannotEndOrRenewAClaim", clock -> new SteppedStore(clock) {
        @Override
        Step<RenewalResult> renew(IdempotencyRecord current, Renewal renewal, Instant now) {
            return super.renew(
                    current,
                    current == null ? renewal : with(renewal, current.owner(), renewal.lease(), renewal.ttl()),
                    now);
        }
    }),
    LEASE_NOT_CHECKED("ownerCannotEndOrRenewAClaimWhoseLeaseIsOver", clock -> new SteppedStore(clock) {
        @Override
        Step<CompletionResult> complete(
                IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
            return super.complete(leaseless(current), owner, completion, now);
        }
    }),
    LEASE_OF_A_RENEWAL_NOT_CHECKED("ownerCannotEndOrRenewAClaimWhoseLeaseIsOver", clock -> new SteppedStore(clock) {
        @Override
        Step<RenewalResult> renew(IdempotencyRecord current, Renewal renewal, Instant now) {
            return super.renew(leaseless(current), renewal, now);
        }
    }),
    LATE_OWNER_BRINGS_THE_RECORD_BACK("lateOwnerCannotBringAnExpiredRecordBack", clock -> new SteppedStore(clock) {
        @Override
        Step<CompletionResult> complete(
                IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
            return super.complete(everlasting(leaseless(current)), owner, completion, now);
        }
    }),
    FINGERPRINT_IGNORED("otherContentIsToldBeforeTheAnswerIs", clock -> new SteppedStore(clock) {
        @Override
        Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
            return blind(super.claim(withFingerprint(current, claim.fingerprint()), claim, now), current);
        }
    }),
    FINGERPRINT_FORGOTTEN_BY_A_FAILURE("otherContentDoesNotRunAfterAFailure", clock -> new SteppedStore(clock) {
        @Override
        Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
            boolean failed = current != null && current.status() == RecordStatus.FAILED;
            return failed
                    ? blind(super.claim(withFingerprint(current, claim.fingerprint()), claim, now), current)
                    : super.claim(current, claim, now);
        }
    }),
    IN_PROGRESS_TOLD_FIRST("otherContentIsToldBeforeInProgress", clock -> new SteppedStore(clock) {
        @Override
        Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
            boolean pending = current != null && current.isOwned(now);
            return pending
                    ? blind(super.claim(withFingerprint(current, claim.fingerprint()), claim, now), current)
                    : super.claim(current, claim, now);
        }
    }),
    ALGORITHM_IGNORED("fingerprintsOfDifferentAlgorithmsAreNotCompared", clock -> new SteppedStore(clock) {
        @Override
        Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
            if (current == null) {
                return super.claim(null, claim, now);
            }
            Fingerprint relabelled = Fingerprint.of(
                    claim.fingerprint().algorithm(), current.fingerprint().toBytes());
            return blind(super.claim(withFingerprint(current, relabelled), claim, now), current);
        }
    }),
    BIZ_TYPE_IGNORED("sameDigestInAnotherBizTypeIsAnotherOperation", clock -> new SteppedStore(clock) {
        @Override
        RecordKey address(RecordKey key) {
            return RecordKey.ofHex("any", key.hex());
        }
    }),
    OWNER_CANNOT_ASK_AGAIN("ownerWhoNeverSawTheReplyMayAskAgain", clock -> new SteppedStore(clock) {
        @Override
        Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
            IdempotencyRecord somebodyElses = current == null
                    ? null
                    : edit(current).owner(new OwnerToken(0, 0)).done();
            return blind(super.claim(somebodyElses, claim, now), current);
        }
    }),
    UNCERTAIN_ORPHAN_TAKEN_OVER("orphanIsLeftAloneIfItsOutcomeIsUncertain", clock -> new SteppedStore(clock) {
        @Override
        Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
            return super.claim(
                    current,
                    new Claim(
                            claim.key(),
                            claim.owner(),
                            claim.fingerprint(),
                            claim.lease(),
                            claim.ttl(),
                            OnOrphan.TAKE_OVER,
                            claim.payload()),
                    now);
        }
    }),
    ATTEMPTS_NOT_COUNTED("attemptsCountEveryClaim", clock -> new SteppedStore(clock) {
        @Override
        Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
            return ifClaimed(
                    super.claim(current, claim, now),
                    (next, told) -> new Step<>(
                            edit(next).attempts(1).done(),
                            new ClaimResult.Claimed(told.version(), 1, told.previous())));
        }
    }),
    VERSION_KEPT_BY_A_TAKE_OVER("orphanIsTakenOver", clock -> new SteppedStore(clock) {
        @Override
        Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
            long version = current == null ? 0 : current.version();
            return current == null
                    ? super.claim(null, claim, now)
                    : ifClaimed(
                            super.claim(current, claim, now),
                            (next, told) -> new Step<>(
                                    edit(next).version(version).done(),
                                    new ClaimResult.Claimed(version, told.attempts(), told.previous())));
        }
    }),
    VERSION_REPEATED_AFTER_A_RELEASE("versionGrowsAtEveryStepAndIsNeverRepeated", clock -> new SteppedStore(clock) {
        @Override
        long forgottenVersion() {
            return 0;
        }
    }),
    RESPONSE_LOST("successKeepsTheAnswer", clock -> new SteppedStore(clock) {
        @Override
        Step<CompletionResult> complete(
                IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
            return ifChanged(
                    current,
                    super.complete(current, owner, completion, now),
                    next -> edit(next).payload(Payload.EMPTY).done());
        }
    }),
    SUCCESS_OVERWRITTEN("successAskedForAgainIsTheSameSuccess", clock -> new SteppedStore(clock) {
        @Override
        Step<CompletionResult> complete(
                IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
            return super.complete(reopened(current, RecordStatus.SUCCESS), owner, completion, now);
        }
    }),
    FAILURE_COUNTED_TWICE("failureAskedForAgainCountsOnce", clock -> new SteppedStore(clock) {
        @Override
        Step<CompletionResult> complete(
                IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
            return super.complete(reopened(current, RecordStatus.FAILED), owner, completion, now);
        }
    }),
    RELEASE_KEEPS_THE_RECORD("releaseForgetsTheOperation", clock -> new SteppedStore(clock) {
        @Override
        Step<CompletionResult> complete(
                IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
            Step<CompletionResult> step = super.complete(current, owner, completion, now);
            return step.next() == null && current != null
                    ? new Step<>(edit(current).status(RecordStatus.FAILED).done(), step.result())
                    : step;
        }
    }),
    RENEWAL_DOES_NOTHING("renewedClaimOutlivesItsFirstLease", clock -> new SteppedStore(clock) {
        @Override
        Step<RenewalResult> renew(IdempotencyRecord current, Renewal renewal, Instant now) {
            return new Step<>(current, super.renew(current, renewal, now).result());
        }
    }),
    RENEWAL_KEEPS_THE_EXPIRY("renewedClaimOutlivesItsFirstLease", clock -> new SteppedStore(clock) {
        @Override
        Step<RenewalResult> renew(IdempotencyRecord current, Renewal renewal, Instant now) {
            return ifChanged(
                    current,
                    super.renew(current, renewal, now),
                    next -> edit(next).expiresAt(current.expiresAt()).done());
        }
    }),
    RENEWAL_CHANGES_THE_VERSION("renewalChangesTheLeaseAndTheExpiryOnly", clock -> new SteppedStore(clock) {
        @Override
        Step<RenewalResult> renew(IdempotencyRecord current, Renewal renewal, Instant now) {
            return ifChanged(
                    current,
                    super.renew(current, renewal, now),
                    next -> edit(next).version(next.version() + 1).done());
        }
    }),
    BATCH_ENDS_AT_THE_FIRST_LOST_CLAIM(
            "eachIsToldForItselfWhetherItHeldInTheOrderOfTheQuestions", clock -> new SteppedStore(clock) {
                @Override
                public List<RenewalResult> renew(List<Renewal> renewals) {
                    List<RenewalResult> results = new ArrayList<>();
                    for (Renewal renewal : renewals) {
                        boolean goesOn = !results.contains(RenewalResult.LOST);
                        results.add(goesOn ? renew(renewal) : RenewalResult.LOST);
                    }
                    return results;
                }
            }),
    BATCH_RENEWS_THE_FIRST_ONLY("eachOfManyIsRenewedForTimesOfItsOwn", clock -> new SteppedStore(clock) {
        @Override
        public List<RenewalResult> renew(List<Renewal> renewals) {
            return renewals.stream()
                    .map(renewal -> renewal.equals(renewals.get(0)) ? renew(renewal) : RenewalResult.RENEWED)
                    .toList();
        }
    }),
    BATCH_HAS_ONE_LEASE("eachOfManyIsRenewedForTimesOfItsOwn", clock -> new SteppedStore(clock) {
        @Override
        public List<RenewalResult> renew(List<Renewal> renewals) {
            return renewals.stream()
                    .map(renewal ->
                            renew(with(renewal, renewal.owner(), renewals.get(0).lease(), renewal.ttl())))
                    .toList();
        }
    }),
    BATCH_HAS_ONE_TTL("eachOfManyIsRenewedForTimesOfItsOwn", clock -> new SteppedStore(clock) {
        @Override
        public List<RenewalResult> renew(List<Renewal> renewals) {
            return renewals.stream()
                    .map(renewal -> renew(with(
                            renewal,
                            renewal.owner(),
                            renewal.lease(),
                            renewals.get(0).ttl())))
                    .toList();
        }
    }),
    BATCH_TAKES_ANY_OF_ITS_OWNERS("ownersOfOneAnotherAreStrangers", clock -> new SteppedStore(clock) {
        @Override
        public List<RenewalResult> renew(List<Renewal> renewals) {
            return renewals.stream()
                    .map(renewal -> renewals.stream()
                            .map(any -> renew(with(renewal, any.owner(), renewal.lease(), renewal.ttl())))
                            .filter(RenewalResult.RENEWED::equals)
                            .findFirst()
                            .orElse(RenewalResult.LOST))
                    .toList();
        }
    }),
    BATCH_ANSWERS_IN_ITS_OWN_ORDER(
            "eachIsToldForItselfWhetherItHeldInTheOrderOfTheQuestions", clock -> new SteppedStore(clock) {
                @Override
                public List<RenewalResult> renew(List<Renewal> renewals) {
                    return super.renew(renewals).stream().sorted().toList();
                }
            }),
    BATCH_IS_CUT("asManyAsAllowedAreRenewedAtOnce", clock -> new SteppedStore(clock) {
        @Override
        public List<RenewalResult> renew(List<Renewal> renewals) {
            return super.renew(renewals.subList(0, Math.min(999, renewals.size())));
        }
    }),
    BATCH_GOES_BY_THE_HEX_ALONE("keysThatDifferInTheirBizTypeOnlyAreDifferent", clock -> new SteppedStore(clock) {
        @Override
        public List<RenewalResult> renew(List<Renewal> renewals) {
            return renewals.stream()
                    .map(renewal -> renewals.stream()
                            .filter(other ->
                                    other.key().hex().equals(renewal.key().hex()))
                            .map(other -> renew(with(renewal, renewal.owner(), other.lease(), other.ttl())))
                            .reduce((before, last) -> last)
                            .orElseThrow())
                    .toList();
        }
    }),
    BATCH_FAILS_AS_A_WHOLE_IF_A_CLAIM_HAS_ENDED(
            "endsThatComeMeanwhileKeepNoOtherFromBeingRenewed", clock -> new SteppedStore(clock) {
                @Override
                public List<RenewalResult> renew(List<Renewal> renewals) {
                    List<RenewalResult> results = super.renew(renewals);
                    return results.contains(RenewalResult.LOST) && results.size() == 2
                            ? List.of(RenewalResult.LOST, RenewalResult.LOST)
                            : results;
                }
            }),
    EXPIRY_IGNORED("successIsForgottenAfterItsTtl", clock -> new SteppedStore(clock) {
        @Override
        Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
            return blind(super.claim(everlasting(current), claim, now), current);
        }
    }),
    EXPIRED_RECORD_FOUND("successIsForgottenAfterItsTtl", clock -> new SteppedStore(clock) {
        @Override
        Lookup find(IdempotencyRecord current, Instant now) {
            return current == null ? new Lookup.Absent() : new Lookup.Found(current);
        }
    }),
    TTL_RESTARTED_BY_A_REPLAY("replaysDoNotProlongASuccess", clock -> new SteppedStore(clock) {
        @Override
        Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
            Step<ClaimResult> step = super.claim(current, claim, now);
            return step.result() instanceof ClaimResult.Completed
                    ? new Step<>(
                            edit(current)
                                    .expiresAt(now.plus(Duration.between(current.updatedAt(), current.expiresAt())))
                                    .done(),
                            step.result())
                    : step;
        }
    }),
    FAILURE_EXPIRES_WITH_ITS_CLAIM("failureOutlivesTheClaimThatItEnds", clock -> new SteppedStore(clock) {
        @Override
        Step<CompletionResult> complete(
                IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
            return ifChanged(
                    current,
                    super.complete(current, owner, completion, now),
                    next -> next.status() == RecordStatus.FAILED
                            ? edit(next).expiresAt(current.expiresAt()).done()
                            : next);
        }
    }),
    COOL_DOWN_CUT_BY_THE_TTL("coolDownLongerThanTheTtlProlongsTheRecord", clock -> new SteppedStore(clock) {
        @Override
        Step<CompletionResult> complete(
                IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
            return ifChanged(
                    current,
                    super.complete(current, owner, completion, now),
                    next -> completion instanceof Completion.Failure failure
                            ? edit(next).expiresAt(now.plus(failure.ttl())).done()
                            : next);
        }
    }),
    COOL_DOWN_IGNORED("thirdFailureWithinTheWindowCoolsTheOperation", clock -> new SteppedStore(clock) {
        @Override
        Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
            IdempotencyRecord neverCooled = current == null
                    ? null
                    : edit(current).window(SlidingWindow.EMPTY).done();
            return blind(super.claim(neverCooled, claim, now), current);
        }
    }),
    WINDOW_DOES_NOT_SLIDE("windowSlidesWithTheFailures", clock -> new SteppedStore(clock) {
        @Override
        Step<CompletionResult> complete(
                IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
            if (current == null || !(completion instanceof Completion.Failure failure)) {
                return super.complete(current, owner, completion, now);
            }
            List<Instant> failures = current.window().failures();
            boolean over = !failures.isEmpty()
                    && !now.isBefore(failures.get(0).plus(failure.breaker().window()));
            SlidingWindow window = new SlidingWindow(
                    over ? List.of() : failures,
                    current.window().cooledUntil(),
                    current.window().cooldown());
            return super.complete(edit(current).window(window).done(), owner, completion, now);
        }
    }),
    WINDOW_NEVER_FORGETS("failuresOlderThanTheWindowDropOut", clock -> new SteppedStore(clock) {
        @Override
        Step<CompletionResult> complete(
                IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
            return super.complete(current, owner, longWindow(completion), now);
        }
    }),
    TRIAL_FAILS_LIKE_ANY_OTHER("failedTrialCoolsAtOnce", clock -> new SteppedStore(clock) {
        @Override
        Step<CompletionResult> complete(
                IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
            if (current == null || current.status() != RecordStatus.PENDING) {
                return super.complete(current, owner, completion, now);
            }
            SlidingWindow noTrial = SlidingWindow.closed(current.window().failures());
            return super.complete(edit(current).window(noTrial).done(), owner, completion, now);
        }
    }),
    COOL_DOWN_NEVER_GROWS("coolDownGrowsWhileTrialsFail", clock -> new SteppedStore(clock) {
        @Override
        Step<CompletionResult> complete(
                IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
            if (current == null || current.status() != RecordStatus.PENDING) {
                return super.complete(current, owner, completion, now);
            }
            SlidingWindow forgetful = new SlidingWindow(
                    current.window().failures(), current.window().cooledUntil(), null);
            return super.complete(edit(current).window(forgetful).done(), owner, completion, now);
        }
    }),
    REDRIVE_COOLED_DOWN("redriveRunsWhileTheOperationCoolsDown", clock -> new SteppedStore(clock) {
        @Override
        Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
            return super.claim(current, redrive(claim, 0), now);
        }
    }),
    REDRIVE_TAKES_ANY_ORPHAN_OVER("redriveLeavesALaterOrphanAlone", clock -> new SteppedStore(clock) {
        @Override
        Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
            long version = claim.isRedrive() && current != null ? current.version() : claim.redriveOf();
            return super.claim(current, redrive(claim, version), now);
        }
    }),
    RELEASE_OF_ANY_VERSION("releaseOfAnotherVersionOrOfASuccessChangesNothing", clock -> new SteppedStore(clock) {
        @Override
        Step<ReleaseResult> release(IdempotencyRecord current, long version, Instant now) {
            return super.release(current, current == null ? version : current.version(), now);
        }
    }),
    SUCCESS_RELEASED("releaseOfAnotherVersionOrOfASuccessChangesNothing", clock -> new SteppedStore(clock) {
        @Override
        Step<ReleaseResult> release(IdempotencyRecord current, long version, Instant now) {
            return super.release(reopened(current, RecordStatus.SUCCESS), version, now);
        }
    });

    private final List<String> foundBy;
    private final Function<ManualClock, SteppedStore> planted;

    Fault(String foundBy, Function<ManualClock, SteppedStore> planted) {
        this(List.of(foundBy), planted);
    }

    Fault(List<String> foundBy, Function<ManualClock, SteppedStore> planted) {
        this.foundBy = foundBy;
        this.planted = planted;
    }

    /** Names of the test methods that must fail. */
    List<String> foundBy() {
        return foundBy;
    }

    /** Whether it takes a race of many rounds to find it. */
    boolean isRace() {
        return planted.apply(new ManualClock()) instanceof Racy;
    }

    SteppedStore plant(ManualClock clock) {
        return planted.apply(clock);
    }

    private static final class Racy extends SteppedStore {

        Racy(ManualClock clock) {
            super(clock);
        }

        @Override
        <R> R run(RecordKey key, BiFunction<IdempotencyRecord, Instant, Step<R>> transition) {
            return getThenSet(key, transition);
        }
    }

    private static Renewal with(Renewal renewal, OwnerToken owner, Duration lease, Duration ttl) {
        return new Renewal(renewal.key(), owner, lease, ttl);
    }

    private static Claim redrive(Claim claim, long redriveOf) {
        return new Claim(
                claim.key(),
                claim.owner(),
                claim.fingerprint(),
                claim.lease(),
                claim.ttl(),
                claim.onOrphan(),
                claim.payload(),
                claim.waits(),
                redriveOf);
    }

    private static IdempotencyRecord leaseless(IdempotencyRecord current) {
        return current == null ? null : edit(current).leaseEnd(Instant.MAX).done();
    }

    private static IdempotencyRecord everlasting(IdempotencyRecord current) {
        return current == null ? null : edit(current).expiresAt(Instant.MAX).done();
    }

    private static IdempotencyRecord withFingerprint(IdempotencyRecord current, Fingerprint fingerprint) {
        return current == null ? null : edit(current).fingerprint(fingerprint).done();
    }

    private static IdempotencyRecord reopened(IdempotencyRecord current, RecordStatus status) {
        return current == null || current.status() != status
                ? current
                : edit(current)
                        .status(RecordStatus.PENDING)
                        .leaseEnd(Instant.MAX)
                        .done();
    }

    private static Completion longWindow(Completion completion) {
        if (!(completion instanceof Completion.Failure failure)) {
            return completion;
        }
        BreakerPolicy policy = failure.breaker();
        return new Completion.Failure(
                failure.payload(),
                failure.ttl(),
                new BreakerPolicy(policy.failures(), Duration.ofDays(1), policy.cooldown()));
    }

    /** A decision on a record that was looked at wrongly leaves the true one where it is, unless it claims. */
    private static Step<ClaimResult> blind(Step<ClaimResult> step, IdempotencyRecord current) {
        return step.result() instanceof ClaimResult.Claimed ? step : new Step<>(current, step.result());
    }

    private static Step<ClaimResult> ifClaimed(
            Step<ClaimResult> step, BiFunction<IdempotencyRecord, ClaimResult.Claimed, Step<ClaimResult>> change) {
        return step.result() instanceof ClaimResult.Claimed claimed ? change.apply(step.next(), claimed) : step;
    }

    private static <R> Step<R> ifChanged(
            IdempotencyRecord current, Step<R> step, Function<IdempotencyRecord, IdempotencyRecord> change) {
        return step.next() == null || step.next().equals(current)
                ? step
                : new Step<>(change.apply(step.next()), step.result());
    }
}
