// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.BreakerScope;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.event.Answer;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.event.Operation;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.memory.MovableClock;
import dev.idempotency.policy.OnCompleted;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.PreviousAttempt;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.StoredResponse;
import dev.idempotency.store.StoredResponse.Field;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdempotencyCoordinatorTest {

    private final MovableClock clock = new MovableClock();
    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(1 << 24, clock);
    private final InMemoryDeadLetterQueue deadLetters = new InMemoryDeadLetterQueue();
    private final Heard heard = new Heard();
    private final Calls calls = new Calls();
    private IdempotencyCoordinator coordinator = new IdempotencyCoordinator(store, deadLetters, List.of(heard));

    private final IdempotencyCoordinator elsewhere = new IdempotencyCoordinator(store, deadLetters, List.of(heard));

    @AfterEach
    void close() {
        elsewhere.close();
        coordinator.close();
    }

    @Test
    void theFirstCallRunsAndEveryRepeatGetsItsAnswer() {
        Execution execution = run("K1");
        assertThat(execution.key()).isEqualTo(Calls.key("K1"));
        assertThat(execution.attempts()).isOne();
        assertThat(execution.version()).isEqualTo(found("K1").version());
        assertThat(execution.complete(Calls.CREATED)).isEqualTo(Ending.RECORDED);

        Decision replay = new Decision.Replay(Calls.CREATED, "trace of content");
        assertThat(coordinator.begin(calls.call("K1"))).isEqualTo(replay);
        assertThat(coordinator.begin(calls.call("K1"))).isEqualTo(replay);
        assertThat(heard.events())
                .containsExactly("claimed 1 NONE", "ended SUCCEEDED", "answered replayed", "answered replayed");
        assertThat(Letters.of(deadLetters)).isEmpty();
        assertThat(calls.snapshots).hasValue(0);
    }

    @Test
    void theAnswerIsReplayedUntilTheTtlIsOver() {
        run("K1").complete(Calls.CREATED);
        clock.move(calls.ttl.minusNanos(1_000));
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.Replay.class);
        clock.move(Duration.ofNanos(1_000));
        assertThat(run("K1").attempts()).isOne();
    }

    @Test
    void onConflictARepeatOfWhatIsDoneIsToldSo() {
        run("K1").complete(Calls.CREATED);
        calls.onCompleted = OnCompleted.CONFLICT;
        heard.forget();
        assertThat(coordinator.begin(calls.call("K1")))
                .isInstanceOfSatisfying(
                        Decision.AlreadyProcessed.class,
                        decision -> assertThat(decision.found()).isEqualTo(found("K1")));
        assertThat(heard.events()).containsExactly("answered already-processed");
    }

    @Test
    void onConflictOtherContentIsStillReuseOfTheKey() {
        run("K1").complete(Calls.CREATED);
        calls.onCompleted = OnCompleted.CONFLICT;
        assertThat(coordinator.begin(calls.call("K1", "other"))).isInstanceOf(Decision.KeyReused.class);
    }

    @ParameterizedTest
    @CsvSource({
        // running for, asked to come back after
        "PT0S, PT1S",
        "PT0.999S, PT1S",
        "PT5S, PT5S",
        "PT30S, PT30S",
        "PT50S, PT10S",
        "PT59.5S, PT1S",
    })
    void aRepeatWhileItRunsIsToldWhenToAskAgain(Duration running, Duration retryAfter) {
        run("K1");
        clock.move(running);
        heard.forget();
        assertThat(elsewhere.begin(calls.call("K1"))).isEqualTo(new Decision.InProgress(retryAfter));
        assertThat(heard.events()).containsExactly("answered in-progress");
    }

    @Test
    void otherContentUnderTheSameKeyIsRefusedWhateverTheRecordSays() {
        Execution execution = run("K1");
        heard.forget();
        assertThat(coordinator.begin(calls.call("K1", "other"))).isEqualTo(new Decision.KeyReused());
        execution.complete(Calls.CREATED);
        assertThat(coordinator.begin(calls.call("K1", "other"))).isEqualTo(new Decision.KeyReused());
        run("K2").fail(null, 500);
        assertThat(coordinator.begin(calls.call("K2", "other"))).isEqualTo(new Decision.KeyReused());
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.Replay.class);
        assertThat(heard.events()).filteredOn("answered key-reused"::equals).hasSize(3);
    }

    @Test
    void aFailureLetsTheNextRepeatRun() {
        assertThat(run("K1").fail(new IllegalStateException("no stock"), 500)).isEqualTo(Ending.RECORDED);
        assertThat(found("K1").status()).isEqualTo(RecordStatus.FAILED);
        Execution second = run("K1");
        assertThat(second.attempts()).isEqualTo(2);
        second.complete(Calls.CREATED);
        assertThat(heard.events())
                .containsExactly("claimed 1 NONE", "ended FAILED", "claimed 2 FAILED", "ended SUCCEEDED");
    }

    @Test
    void aReleaseLeavesNothingBehind() {
        assertThat(run("K1").release()).isEqualTo(Ending.RECORDED);
        assertThat(store.find(Calls.key("K1"))).isEqualTo(new Lookup.Absent());
        assertThat(store.usedBytes()).isZero();
        assertThat(run("K1").attempts()).isOne();
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "ended RELEASED", "claimed 1 NONE");
    }

    @Test
    void anAnswerTooLargeToKeepIsUnavailableAndNotRunAgain() {
        assertThat(run("K1").completeWithoutAnswer()).isEqualTo(Ending.RECORDED);
        heard.forget();
        assertThat(coordinator.begin(calls.call("K1"))).isEqualTo(new Decision.ResultUnavailable(true));
        assertThat(heard.events()).containsExactly("answered result-unavailable");
    }

    @Test
    void anAnswerThatTheStoredFormCannotHoldIsDoneAllTheSame() {
        StoredResponse answer =
                new StoredResponse(200, List.of(new Field("X-Huge", "x".repeat(70_000))), Payload.EMPTY);
        assertThat(run("K1").complete(answer)).isEqualTo(Ending.RECORDED);
        assertThat(coordinator.begin(calls.call("K1"))).isEqualTo(new Decision.ResultUnavailable(true));
        assertThat(heard.events()).contains("ended SUCCEEDED");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "empty",
            value = {"empty", "255", "1", "1-0-0-0-77"})
    void aRecordThatCannotBeReadIsNeverRunAgain(String bytes) {
        OwnerToken owner = OwnerToken.random();
        claim("K1", owner);
        store.complete(Calls.key("K1"), owner, new Completion.Success(payload(bytes), calls.ttl));
        assertThat(coordinator.begin(calls.call("K1"))).isEqualTo(new Decision.ResultUnavailable(true));
    }

    @Test
    void aRecordThatTheStoreCannotReadIsNeverRunAgain() {
        FaultyStore damaged = new FaultyStore(store);
        damaged.claimed = result -> new ClaimResult.Unreadable();
        coordinator = new IdempotencyCoordinator(damaged, deadLetters, List.of(heard));
        assertThat(coordinator.begin(calls.call("K1"))).isEqualTo(new Decision.ResultUnavailable(false));
        assertThat(heard.events()).containsExactly("answered result-unavailable");
    }

    @Test
    void anOrphanIsTakenOver() {
        claim("K1", OwnerToken.random());
        clock.move(calls.lease);
        assertThat(run("K1").attempts()).isEqualTo(2);
        assertThat(heard.events()).containsExactly("claimed 2 " + PreviousAttempt.ORPHANED);
    }

    @Test
    void anOrphanIsLeftToAPersonIfThePolicySaysSo() {
        calls.onOrphan = OnOrphan.UNCERTAIN;
        claim("K1", OwnerToken.random());
        clock.move(calls.lease);
        assertThat(coordinator.begin(calls.call("K1"))).isEqualTo(new Decision.OutcomeUnknown());
        assertThat(coordinator.begin(calls.call("K1"))).isEqualTo(new Decision.OutcomeUnknown());
        assertThat(heard.events()).containsExactly("answered outcome-unknown", "answered outcome-unknown");
        assertThat(Letters.of(deadLetters)).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(DeadLetterReason.OUTCOME_UNKNOWN);
            assertThat(letter.occurrences()).isEqualTo(2);
            assertThat(letter.version()).isEqualTo(found("K1").version());
            assertThat(letter.failure()).isNull();
        });
    }

    @Test
    void theThirdFailureOpensTheBreakerAndParksTheRequestOnce() {
        for (int i = 0; i < 3; i++) {
            assertThat(run("K1").fail(new IllegalStateException("no stock"), 500))
                    .isEqualTo(Ending.RECORDED);
        }
        clock.move(Duration.ofSeconds(10));
        assertThat(coordinator.begin(calls.call("K1")))
                .isEqualTo(new Decision.CoolingDown(BreakerScope.OPERATION, Duration.ofSeconds(20)));
        clock.move(Duration.ofSeconds(19));
        assertThat(coordinator.begin(calls.call("K1")))
                .isEqualTo(new Decision.CoolingDown(BreakerScope.OPERATION, Duration.ofSeconds(1)));
        assertThat(heard.events())
                .containsExactly(
                        "claimed 1 NONE",
                        "ended FAILED",
                        "claimed 2 FAILED",
                        "ended FAILED",
                        "claimed 3 FAILED",
                        "ended FAILED",
                        "breaker opened PT30S",
                        "answered cooling-down",
                        "answered cooling-down");
        assertThat(Letters.of(deadLetters)).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(DeadLetterReason.BREAKER_OPENED);
            assertThat(letter.key()).isEqualTo(Calls.key("K1"));
            assertThat(letter.occurrences()).isEqualTo(3);
            assertThat(letter.attempts()).isEqualTo(3);
            assertThat(letter.failure()).isEqualTo("java.lang.IllegalStateException: no stock");
            assertThat(letter.request().target()).isEqualTo("/orders");
        });
    }

    /** What a person has decided on is run, once: the record of the redrive protects it like any other. */
    @Test
    void aRedriveRunsPastTheCoolDownAndAfterAnUnknownOutcome() {
        calls.lease = Duration.ofSeconds(10);
        for (int i = 0; i < 3; i++) {
            run("K1").fail(null, 500);
        }
        calls.onOrphan = OnOrphan.UNCERTAIN;
        claim("K2", OwnerToken.random());
        clock.move(calls.lease);

        for (String key : List.of("K1", "K2")) {
            IdempotentRequest redrive = redrive(key, found(key).version());
            Decision decision = coordinator.begin(redrive);
            assertThat(decision).isInstanceOf(Decision.Run.class);
            assertThat(coordinator.begin(redrive)).isInstanceOf(Decision.InProgress.class);
            ((Decision.Run) decision).execution().complete(Calls.CREATED);
            assertThat(coordinator.begin(redrive)).isInstanceOf(Decision.Replay.class);
        }
    }

    private IdempotentRequest redrive(String key, long version) {
        IdempotentRequest call = calls.call(key);
        return new IdempotentRequest(
                call.key(),
                call.fingerprint(),
                call.policy(),
                call.transport(),
                call.traceId(),
                call.snapshot(),
                version);
    }

    @Test
    void everyOpeningHasItsOwnLetter() {
        for (int i = 0; i < 3; i++) {
            run("K1").fail(null, 502);
        }
        clock.move(Duration.ofSeconds(30));
        run("K1").fail(null, 503);
        assertThat(Letters.of(deadLetters))
                .extracting(Letters.Letter::failure)
                .containsExactly("status 503", "status 502");
        assertThat(Letters.of(deadLetters)).allMatch(letter -> letter.occurrences() == 1);
        assertThat(heard.events()).filteredOn("breaker opened PT30S"::equals).hasSize(2);
        clock.move(Duration.ofSeconds(30));
        run("K1").complete(Calls.CREATED);
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.Replay.class);
    }

    @Test
    void withoutABreakerNothingCoolsDown() {
        calls.breaker = BreakerPolicy.OFF;
        for (int i = 1; i <= 20; i++) {
            Execution execution = run("K1");
            assertThat(execution.attempts()).isEqualTo(i);
            execution.fail(null, 500);
        }
        assertThat(Letters.of(deadLetters)).isEmpty();
    }

    @Test
    void aLateOwnerChangesNothingButIsHeard() {
        Execution late = run("K1");
        clock.move(calls.lease);
        Execution second = ((Decision.Run) elsewhere.begin(calls.call("K1"))).execution();
        second.complete(Calls.CREATED);
        heard.forget();
        assertThat(late.complete(Calls.answer("late"))).isEqualTo(Ending.STALE);
        assertThat(heard.events()).containsExactly("stale SUCCEEDED");
        assertThat(coordinator.begin(calls.call("K1")))
                .isEqualTo(new Decision.Replay(Calls.CREATED, "trace of content"));
        assertThat(Letters.of(deadLetters)).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(DeadLetterReason.STALE_COMPLETION);
            assertThat(letter.version()).isEqualTo(late.version());
            assertThat(letter.occurrences()).isOne();
        });
    }

    @Test
    void aLateOwnerIsStaleEvenIfNobodyHasTakenOver() {
        Execution late = run("K1");
        clock.move(calls.lease);
        assertThat(late.fail(new IllegalStateException("late"), 500)).isEqualTo(Ending.STALE);
        assertThat(Letters.of(deadLetters))
                .singleElement()
                .satisfies(letter -> assertThat(letter.failure()).isEqualTo("java.lang.IllegalStateException: late"));
    }

    @Test
    void aLateReleaseIsHeardButNeedsNobody() {
        Execution late = run("K1");
        clock.move(calls.lease);
        heard.forget();
        assertThat(late.release()).isEqualTo(Ending.STALE);
        assertThat(heard.events()).containsExactly("stale RELEASED");
        assertThat(Letters.of(deadLetters)).isEmpty();
    }

    @Test
    void anOrphanThatIsCompletedAfterAllHasALetterOfItsOwn() {
        calls.onOrphan = OnOrphan.UNCERTAIN;
        Execution late = run("K1");
        clock.move(calls.lease);
        elsewhere.begin(calls.call("K1"));
        late.complete(Calls.CREATED);
        assertThat(Letters.of(deadLetters))
                .extracting(Letters.Letter::reason)
                .containsExactly(DeadLetterReason.STALE_COMPLETION, DeadLetterReason.OUTCOME_UNKNOWN);
    }

    @Test
    void onlyTheFirstEndCounts() {
        Execution execution = run("K1");
        execution.complete(Calls.CREATED);
        heard.forget();
        assertThat(execution.complete(Calls.answer("again"))).isEqualTo(Ending.STALE);
        assertThat(execution.completeWithoutAnswer()).isEqualTo(Ending.STALE);
        assertThat(execution.fail(null, 500)).isEqualTo(Ending.STALE);
        assertThat(execution.release()).isEqualTo(Ending.STALE);
        assertThat(heard.events()).isEmpty();
        assertThat(Letters.of(deadLetters)).isEmpty();
        assertThat(coordinator.begin(calls.call("K1")))
                .isEqualTo(new Decision.Replay(Calls.CREATED, "trace of content"));
    }

    @Test
    void whatAListenerThrowsChangesNothingAndTheOthersHear() {
        IdempotencyListener throwing = new IdempotencyListener() {
            @Override
            public void claimed(Operation operation, int attempts, PreviousAttempt previous) {
                throw new NoSuchMethodError("of another version");
            }

            @Override
            public void answered(Operation operation, Answer answer) {
                throw new IllegalStateException("in a listener");
            }
        };
        coordinator = new IdempotencyCoordinator(store, deadLetters, List.of(throwing, heard, throwing));
        run("K1").complete(Calls.CREATED);
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.Replay.class);
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "ended SUCCEEDED", "answered replayed");
    }

    @Test
    void aDeadLetterQueueThatThrowsChangesNoAnswer() {
        FaultyQueue broken = new FaultyQueue(deadLetters);
        broken.fault = new IllegalStateException("no disk");
        coordinator = new IdempotencyCoordinator(store, broken, List.of(heard));
        for (int i = 0; i < 3; i++) {
            assertThat(run("K1").fail(null, 500)).isEqualTo(Ending.RECORDED);
        }
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.CoolingDown.class);
        assertThat(heard.events()).contains("breaker opened PT30S", "answered cooling-down");
        Execution late = run("K2");
        clock.move(calls.lease);
        assertThat(late.complete(Calls.CREATED)).isEqualTo(Ending.STALE);
    }

    @Test
    void anExceptionThatCannotTellItsMessageEndsTheAttemptAllTheSame() {
        RuntimeException mute = new RuntimeException() {
            @Override
            public String getMessage() {
                throw new IllegalStateException("lazily");
            }
        };
        assertThat(run("K1").fail(mute, 500)).isEqualTo(Ending.RECORDED);
        assertThat(run("K1").attempts()).isEqualTo(2);
    }

    private Execution run(String key) {
        Decision decision = coordinator.begin(calls.call(key));
        assertThat(decision).isInstanceOf(Decision.Run.class);
        return ((Decision.Run) decision).execution();
    }

    /** A claim by somebody who will never be heard of again. */
    private void claim(String key, OwnerToken owner) {
        IdempotentRequest request = calls.call(key);
        Claim claim = new Claim(
                request.key(), owner, request.fingerprint(), calls.lease, calls.ttl, calls.onOrphan, Payload.EMPTY);
        assertThat(store.claim(claim)).isInstanceOf(ClaimResult.Claimed.class);
    }

    private IdempotencyRecord found(String key) {
        return ((Lookup.Found) store.find(Calls.key(key))).found();
    }

    private static Payload payload(String bytes) {
        if (bytes == null) {
            return Payload.EMPTY;
        }
        String[] values = bytes.split("-", -1);
        byte[] payload = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            payload[i] = (byte) Integer.parseInt(values[i]);
        }
        return Payload.of(payload);
    }
}
