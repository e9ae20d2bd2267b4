// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.FaultyStore.Fault;
import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.memory.MovableClock;
import dev.idempotency.policy.StoreFailure;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.RecordStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class StoreFailureTest {

    private final MovableClock clock = new MovableClock();
    private final InMemoryIdempotencyStore real = new InMemoryIdempotencyStore(1 << 24, clock);
    private final FaultyStore store = new FaultyStore(real);
    private final InMemoryDeadLetterQueue deadLetters = new InMemoryDeadLetterQueue();
    private final Heard heard = new Heard();
    private final Calls calls = new Calls();
    private final IdempotencyCoordinator coordinator = new IdempotencyCoordinator(store, deadLetters, List.of(heard));

    @AfterEach
    void close() {
        coordinator.close();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void closedRefusesTheCall(Fault fault) {
        store.onClaim = fault;
        assertThat(coordinator.begin(calls.call("K1")))
                .isInstanceOfSatisfying(Decision.StoreUnavailable.class, refusal -> {
                    if (fault == Fault.BROKEN) {
                        assertThat(refusal.cause()).hasRootCauseMessage("broken");
                    }
                });
        assertThat(heard.events()).containsExactly("answered store-unavailable");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void openRunsTheCallUnprotected(Fault fault) {
        calls.storeFailure = StoreFailure.OPEN;
        store.onClaim = fault;
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.RunUnprotected.class);
        assertThat(heard.events()).containsExactly("ran unprotected");
    }

    @ParameterizedTest
    @EnumSource(StoreFailure.class)
    void aClaimWhoseReplyWasLostDoesNotStandInTheWay(StoreFailure policy) {
        calls.storeFailure = policy;
        store.onClaim = Fault.REPLY_LOST;
        store.onComplete = Fault.SILENT;
        coordinator.begin(calls.call("K1"));
        assertThat(real.find(Calls.key("K1"))).isInstanceOf(Lookup.Found.class);
        store.onClaim = Fault.NONE;
        store.onComplete = Fault.NONE;
        await().untilAsserted(() -> assertThat(real.find(Calls.key("K1"))).isInstanceOf(Lookup.Absent.class));
        assertThat(run("K1").attempts()).isOne();
    }

    @Test
    void aLostClaimIsReleasedHoweverOftenTheReleaseFailsAtFirst() {
        store.onClaim = Fault.REPLY_LOST;
        store.onComplete = Fault.SILENT;
        coordinator.begin(calls.call("K1"));
        await().until(() -> store.completions.get() >= 3);
        assertThat(real.find(Calls.key("K1"))).isInstanceOf(Lookup.Found.class);
        store.onComplete = Fault.NONE;
        await().untilAsserted(() -> assertThat(real.find(Calls.key("K1"))).isInstanceOf(Lookup.Absent.class));
        assertThat(heard.events()).containsExactly("answered store-unavailable");
    }

    @Test
    void aLostClaimThatWasAnsweredElsewhereIsLeftAlone() {
        store.onClaim = Fault.SILENT;
        coordinator.begin(calls.call("K1"));
        store.onClaim = Fault.NONE;
        run("K1").complete(Calls.CREATED);
        await().until(() -> store.completions.get() == 2);
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.Replay.class);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void anEndThatTheStoreDoesNotTakeIsWrittenLater(Fault fault) {
        Execution execution = run("K1");
        store.onComplete = fault;
        assertThat(execution.complete(Calls.CREATED)).isEqualTo(Ending.DELAYED);
        await().until(() -> store.completions.get() >= 3);
        store.onComplete = Fault.NONE;
        await().until(() -> heard.events().contains("ended SUCCEEDED"));
        assertThat(coordinator.begin(calls.call("K1")))
                .isEqualTo(new Decision.Replay(Calls.CREATED, "trace of content"));
        assertThat(heard.events())
                .containsExactly("claimed 1 NONE", "delayed SUCCEEDED", "ended SUCCEEDED", "answered replayed");
        assertThat(Letters.of(deadLetters)).isEmpty();
    }

    @Test
    void aDelayedFailureStillOpensTheBreaker() {
        calls.breaker = new BreakerPolicy(1, Duration.ofSeconds(5), Duration.ofSeconds(30));
        Execution execution = run("K1");
        store.onComplete = Fault.REPLY_LOST;
        assertThat(execution.fail(null, 500)).isEqualTo(Ending.DELAYED);
        store.onComplete = Fault.NONE;
        await().until(() -> heard.events().contains("breaker opened PT30S"));
        assertThat(heard.events())
                .containsExactly("claimed 1 NONE", "delayed FAILED", "ended FAILED", "breaker opened PT30S");
        assertThat(Letters.of(deadLetters))
                .singleElement()
                .satisfies(letter -> assertThat(letter.reason()).isEqualTo(DeadLetterReason.BREAKER_OPENED));
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.CoolingDown.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"SILENT", "REPLY_LOST"})
    void aDelayedReleaseIsAnEndLikeOthers(Fault fault) {
        Execution execution = run("K1");
        store.onComplete = fault;
        assertThat(execution.release()).isEqualTo(Ending.DELAYED);
        store.onComplete = Fault.NONE;
        await().until(() -> heard.events().contains("ended RELEASED"));
        assertThat(real.find(Calls.key("K1"))).isInstanceOf(Lookup.Absent.class);
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "delayed RELEASED", "ended RELEASED");
    }

    @Test
    void aDelayedEndAfterTheClaimWasLostIsStale() {
        Execution late = run("K1");
        store.onComplete = Fault.SILENT;
        late.complete(Calls.answer("late"));
        clock.move(calls.lease);
        Execution second = run("K1");
        store.onComplete = Fault.NONE;
        await().until(() -> heard.events().contains("stale SUCCEEDED"));
        second.complete(Calls.CREATED);
        assertThat(coordinator.begin(calls.call("K1")))
                .isEqualTo(new Decision.Replay(Calls.CREATED, "trace of content"));
        assertThat(Letters.of(deadLetters))
                .singleElement()
                .satisfies(letter -> assertThat(letter.version()).isEqualTo(late.version()));
    }

    @Test
    void anEndThatIsNeverTakenIsToldAsLostWhenTheLeaseIsOver() {
        calls.lease = Duration.ofMillis(600);
        Execution succeeded = run("K1");
        Execution released = run("K2");
        store.onComplete = Fault.SILENT;
        succeeded.complete(Calls.CREATED);
        released.release();
        await().until(() -> heard.events().containsAll(List.of("lost SUCCEEDED", "lost RELEASED")));
        store.onComplete = Fault.NONE;
        assertThat(heard.events())
                .containsExactlyInAnyOrder(
                        "claimed 1 NONE",
                        "claimed 1 NONE",
                        "delayed SUCCEEDED",
                        "delayed RELEASED",
                        "lost SUCCEEDED",
                        "lost RELEASED");
        await().until(() -> !Letters.of(deadLetters).isEmpty());
        assertThat(Letters.of(deadLetters)).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(DeadLetterReason.COMPLETION_LOST);
            assertThat(letter.key()).isEqualTo(Calls.key("K1"));
        });
        assertThat(((Lookup.Found) real.find(Calls.key("K1"))).found().status()).isEqualTo(RecordStatus.PENDING);
    }

    /** A container gives the request to somebody else as soon as it is answered. */
    @Test
    void anEndThatIsNeverTakenIsALetterEvenIfTheRequestIsGone() {
        calls.lease = Duration.ofMillis(600);
        Execution succeeded = run("K1");
        store.onComplete = Fault.SILENT;
        succeeded.complete(Calls.CREATED);
        calls.gone = true;
        await().until(() -> heard.events().contains("lost SUCCEEDED"));
        assertThat(Letters.of(deadLetters))
                .singleElement()
                .satisfies(letter -> assertThat(letter.reason()).isEqualTo(DeadLetterReason.COMPLETION_LOST));
    }

    @Test
    void closingWritesWhatIsLeftIfTheStoreAnswers() {
        Execution execution = run("K1");
        store.onComplete = Fault.SILENT;
        execution.complete(Calls.CREATED);
        store.onComplete = Fault.NONE;
        coordinator.close();
        await().until(() -> heard.events().contains("ended SUCCEEDED"));
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "delayed SUCCEEDED", "ended SUCCEEDED");
    }

    @Test
    void closingTellsOfEveryEndThatIsLost() {
        Execution before = run("K1");
        Execution after = run("K2");
        store.onComplete = Fault.SILENT;
        before.complete(Calls.CREATED);
        coordinator.close();
        await().until(() -> heard.events().contains("lost SUCCEEDED"));
        assertThat(after.fail(null, 500)).isEqualTo(Ending.DELAYED);
        assertThat(heard.events())
                .containsExactly(
                        "claimed 1 NONE",
                        "claimed 1 NONE",
                        "delayed SUCCEEDED",
                        "lost SUCCEEDED",
                        "delayed FAILED",
                        "lost FAILED");
    }

    /** While the store is silent, every refused call leaves a release to be tried. */
    @Test
    void thousandsOfRefusedCallsCrowdOutNoEnd() {
        Execution execution = run("K1");
        store.onClaim = Fault.SILENT;
        store.onComplete = Fault.SILENT;
        for (int i = 0; i < 20_000; i++) {
            coordinator.begin(calls.call("refused " + i));
        }
        assertThat(execution.complete(Calls.CREATED)).isEqualTo(Ending.DELAYED);
        assertThat(heard.events().get(heard.events().size() - 1)).isEqualTo("delayed SUCCEEDED");
        store.onComplete = Fault.NONE;
        await().until(() -> heard.events().contains("ended SUCCEEDED"));
    }

    private Execution run(String key) {
        Decision decision = coordinator.begin(calls.call(key));
        assertThat(decision).isInstanceOf(Decision.Run.class);
        return ((Decision.Run) decision).execution();
    }
}
