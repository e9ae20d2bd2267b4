// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.deadletter.DeadLetterContent;
import dev.idempotency.deadletter.DeadLetterContent.Failure;
import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.event.Operation;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class DeadLetterOfficeTest {

    private final Calls calls = new Calls();
    private final Heard heard = new Heard();
    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(10_000_000);
    private final InMemoryDeadLetterQueue letters = new InMemoryDeadLetterQueue();
    private final FaultyQueue queue = new FaultyQueue(letters);
    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private final IdempotencyListener listener = new IdempotencyListener() {
        @Override
        public void letterParked(Operation operation, DeadLetterReason reason, boolean isNew) {
            told.add((isNew ? "parked " : "again ") + reason);
        }

        @Override
        public void letterLost(Operation operation, DeadLetterReason reason) {
            told.add("lost " + reason);
        }

        @Override
        public void lettersDropped(int count) {
            told.add("dropped " + count);
        }
    };
    private IdempotencyCoordinator coordinator = new IdempotencyCoordinator(store, queue, List.of(heard, listener));

    DeadLetterOfficeTest() {
        calls.breaker = new BreakerPolicy(1, Duration.ofSeconds(5), Duration.ofSeconds(30));
    }

    private Decision fail(String key, Throwable cause) {
        Decision decision = coordinator.begin(calls.call(key));
        ((Decision.Run) decision).execution().fail(cause, 500);
        return coordinator.begin(calls.call(key));
    }

    @Test
    void aLetterTellsEverythingThatIsKnown() {
        Throwable cause = new IllegalStateException("no stock", new java.io.IOException("connection reset"));

        fail("K1", cause);

        assertThat(Letters.of(letters)).singleElement().satisfies(letter -> {
            DeadLetterContent content = letter.content();
            assertThat(content.failures())
                    .containsExactly(
                            new Failure("java.lang.IllegalStateException", "no stock"),
                            new Failure("java.io.IOException", "connection reset"));
            assertThat(content.statuses()).containsExactly(500);
            assertThat(content.attempts()).isEqualTo(1);
            assertThat(content.transport()).isEqualTo("test");
            assertThat(content.fingerprint()).isEqualTo(calls.call("K1").fingerprint());
            assertThat(content.node()).startsWith(ProcessHandle.current().pid() + "@");
            assertThat(content.snapshot().version()).isEqualTo(letter.version());
            assertThat(content.snapshot().status()).isEqualTo(RecordStatus.FAILED);
            assertThat(content.snapshot().cooledUntil()).isNotNull();
            assertThat(content.snapshot().recentFailures()).hasSize(1);
            assertThat(letter.occurrences()).isEqualTo(2);
        });
        assertThat(told).containsExactly("parked BREAKER_OPENED", "again BREAKER_OPENED");
    }

    @Test
    void whatTheQueueDoesNotTakeAtFirstIsParkedLater() {
        queue.fault = new StoreUnavailableException("silent", null);
        assertThat(fail("K1", null)).isInstanceOf(Decision.CoolingDown.class);
        assertThat(Letters.of(letters)).isEmpty();

        queue.fault = null;
        await().until(() -> told.size() == 2);
        assertThat(Letters.of(letters))
                .singleElement()
                .satisfies(letter -> assertThat(letter.occurrences()).isEqualTo(2));
        assertThat(told).containsExactly("parked BREAKER_OPENED", "again BREAKER_OPENED");
    }

    @Test
    void closingParksWhatIsLeftIfTheQueueAnswers() {
        queue.fault = new StoreUnavailableException("silent", null);
        fail("K1", null);
        queue.fault = null;

        coordinator.close();

        assertThat(Letters.of(letters)).hasSize(1);
    }

    @Test
    void whatIsNeverTakenIsToldAsLost() {
        queue.fault = new StoreUnavailableException("silent", null);
        fail("K1", null);

        coordinator.close();

        assertThat(told).containsExactly("lost BREAKER_OPENED", "lost BREAKER_OPENED");
    }

    @Test
    void whatFitsNoQueueIsToldAsLostAtOnce() {
        coordinator = new IdempotencyCoordinator(
                store,
                new InMemoryDeadLetterQueue(new DeadLetterLimits(10, 20, Duration.ofDays(1))),
                List.of(listener));

        assertThat(fail("K1", null)).isInstanceOf(Decision.CoolingDown.class);

        assertThat(told).containsExactly("lost BREAKER_OPENED", "lost BREAKER_OPENED");
    }

    @Test
    void aSinkThatIsDownTakesBoundedMemory() {
        queue.fault = new StoreUnavailableException("silent", null);
        for (int i = 0; i <= PendingLetters.MAX_LETTERS; i++) {
            Decision decision = coordinator.begin(calls.call("K" + i));
            ((Decision.Run) decision).execution().fail(null, 500);
        }

        assertThat(told).containsExactly("lost BREAKER_OPENED");
    }

    /** The thread that keeps all leases must not wait for a place that gives no answer. */
    @Test
    void anEndThatWasNeverWrittenIsParkedInTheBackground() {
        FaultyStore faulty = new FaultyStore(store);
        coordinator = new IdempotencyCoordinator(faulty, queue, List.of(heard, listener));
        calls.lease = Duration.ofMillis(300);
        Execution execution = ((Decision.Run) coordinator.begin(calls.call("K1"))).execution();
        faulty.onComplete = FaultyStore.Fault.SILENT;
        queue.fault = new StoreUnavailableException("silent", null);
        execution.complete(Calls.CREATED);
        await().until(() -> heard.events().contains("lost SUCCEEDED"));
        assertThat(Letters.of(letters)).isEmpty();

        queue.fault = null;

        await().until(() -> told.contains("parked COMPLETION_LOST"));
        assertThat(Letters.of(letters))
                .singleElement()
                .satisfies(letter -> assertThat(letter.content().snapshot()).isNull());
    }

    @Test
    void lettersThatMakeRoomAreTold() {
        coordinator = new IdempotencyCoordinator(
                store,
                new InMemoryDeadLetterQueue(new DeadLetterLimits(1, 1 << 20, Duration.ofDays(1))),
                List.of(listener));
        fail("K1", null);
        fail("K2", null);

        assertThat(told)
                .containsExactly(
                        "parked BREAKER_OPENED",
                        "again BREAKER_OPENED",
                        "dropped 1",
                        "parked BREAKER_OPENED",
                        "again BREAKER_OPENED");
    }
}
