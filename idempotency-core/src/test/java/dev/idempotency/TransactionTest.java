// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.idempotency.FaultyStore.Fault;
import dev.idempotency.key.RecordKey;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.memory.MovableClock;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.StoreUnavailableException;
import dev.idempotency.store.TransactionParticipant;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of an execution whose success is written in a transaction, however that ends. */
class TransactionTest {

    private final MovableClock clock = new MovableClock();
    private final InMemoryIdempotencyStore real = new InMemoryIdempotencyStore(1 << 24, clock);
    private final FaultyStore store = new FaultyStore(real);
    private final OneTransaction transaction = new OneTransaction();
    private final InMemoryDeadLetterQueue deadLetters = new InMemoryDeadLetterQueue();
    private final Heard heard = new Heard();
    private final Calls calls = new Calls();
    private final IdempotencyCoordinator coordinator = new IdempotencyCoordinator(store, deadLetters, List.of(heard));

    /** Writes to the real store when it is committed. */
    private final class OneTransaction implements TransactionParticipant {

        private final AtomicReference<Runnable> written = new AtomicReference<>(() -> {});
        private boolean away;

        @Override
        public boolean isInTransaction() {
            return true;
        }

        @Override
        public CompletionResult complete(RecordKey key, OwnerToken owner, Completion.Success success) {
            if (away) {
                throw new StoreUnavailableException("away", null);
            }
            IdempotencyRecord found = record();
            if (!found.owner().equals(owner)) {
                return new CompletionResult.Stale();
            }
            written.set(() -> real.complete(key, owner, success));
            return new CompletionResult.Applied(found.version() + 1, Duration.ZERO);
        }

        void commit() {
            written.getAndSet(() -> {}).run();
        }
    }

    @BeforeEach
    void takePart() {
        calls.transactional = true;
        store.participant = transaction;
    }

    @AfterEach
    void close() {
        coordinator.close();
    }

    private Execution run() {
        return ((Decision.Run) coordinator.begin(calls.call("K1"))).execution();
    }

    private IdempotencyRecord record() {
        return ((Lookup.Found) real.find(Calls.key("K1"))).found();
    }

    @Test
    void theSuccessIsThereWhenTheTransactionIsCommitted() {
        Execution execution = run();
        assertThat(execution.completeInTransaction(Calls.CREATED)).isTrue();
        assertThat(record().status()).isEqualTo(RecordStatus.PENDING);
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.InProgress.class);
        transaction.commit();
        execution.committed();
        assertThat(coordinator.begin(calls.call("K1")))
                .isEqualTo(new Decision.Replay(Calls.CREATED, "trace of content"));
        assertThat(heard.events())
                .containsExactly("claimed 1 NONE", "answered in-progress", "ended SUCCEEDED", "answered replayed");
    }

    @Test
    void whatWasRolledBackMayRunAgain() {
        Execution execution = run();
        execution.completeInTransaction(Calls.CREATED);
        assertThat(execution.fail(null, 500)).isEqualTo(Ending.RECORDED);
        assertThat(run().attempts()).isEqualTo(2);
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "ended FAILED", "claimed 2 FAILED");
    }

    @Test
    void aCommitWhoseReplyWasLostIsFoundOut() {
        Execution execution = run();
        execution.completeInTransaction(Calls.CREATED);
        transaction.commit();
        assertThat(execution.fail(new IllegalStateException("connection lost"), 500))
                .isEqualTo(Ending.RECORDED);
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.Replay.class);
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "ended SUCCEEDED", "answered replayed");
        assertThat(Letters.of(deadLetters)).isEmpty();
    }

    @Test
    void aCommitWhoseReplyWasLostIsFoundOutOnceTheStoreIsBack() {
        Execution execution = run();
        execution.completeInTransaction(Calls.CREATED);
        transaction.commit();
        store.onComplete = Fault.SILENT;
        assertThat(execution.fail(null, 500)).isEqualTo(Ending.DELAYED);
        store.onComplete = Fault.NONE;
        await().until(() -> heard.events().contains("ended SUCCEEDED"));
        assertThat(record().status()).isEqualTo(RecordStatus.SUCCESS);
        assertThat(Letters.of(deadLetters)).isEmpty();
    }

    @Test
    void anOwnerThatLostItsClaimMustRollBackAndLeavesNoLetter() {
        calls.lease = Duration.ofSeconds(1);
        Execution late = run();
        clock.move(Duration.ofSeconds(2));
        IdempotencyCoordinator other = new IdempotencyCoordinator(store, deadLetters, List.of());
        Execution successor = ((Decision.Run) other.begin(calls.call("K1"))).execution();
        assertThat(late.completeInTransaction(Calls.CREATED)).isFalse();
        assertThat(late.fail(null, 500)).isEqualTo(Ending.STALE);
        assertThat(successor.complete(Calls.CREATED)).isEqualTo(Ending.RECORDED);
        assertThat(heard.events()).contains("stale SUCCEEDED");
        assertThat(Letters.of(deadLetters)).isEmpty();
        other.close();
    }

    @Test
    void aSuccessThatCannotBeWrittenLeavesTheAttemptToBeFailed() {
        Execution execution = run();
        transaction.away = true;
        assertThatThrownBy(() -> execution.completeInTransaction(Calls.CREATED))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(execution.fail(null, 500)).isEqualTo(Ending.RECORDED);
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "ended FAILED");
    }

    @Test
    void aStoreThatCannotTakePartSaysSo() {
        store.participant = null;
        Execution execution = run();
        assertThatIllegalStateException()
                .isThrownBy(() -> execution.completeInTransaction(Calls.CREATED))
                .withMessage("the store faulty cannot take part in a transaction");
    }

    @Test
    void nothingIsRenewedWhileTheTransactionHoldsTheRecord() {
        calls.lease = Duration.ofMillis(300);
        Execution execution = run();
        execution.completeInTransaction(Calls.CREATED);
        int before = store.renewals(Calls.key("K1"));
        calls.transactional = false;
        coordinator.begin(calls.call("K2"));
        await().until(() -> store.renewals(Calls.key("K2")) >= 5);
        assertThat(store.renewals(Calls.key("K1"))).isEqualTo(before);
        transaction.commit();
        execution.committed();
    }

    @Test
    void aRenewalThatWaitedForTheTransactionIsNoLostLease() {
        calls.lease = Duration.ofMillis(300);
        Execution execution = run();
        store.beforeRenew = key -> {
            if (key.equals(Calls.key("K1"))) {
                execution.completeInTransaction(Calls.CREATED);
                transaction.commit();
            }
        };
        calls.transactional = false;
        coordinator.begin(calls.call("K2"));
        await().until(() -> store.renewals(Calls.key("K1")) == 1 && store.renewals(Calls.key("K2")) >= 2);
        execution.committed();
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "claimed 1 NONE", "ended SUCCEEDED");
    }

    @Test
    void anAnswerThatIsNotToBeStoredLeavesNoRecordOnceCommitted() {
        Execution execution = run();
        execution.context().doNotStore();
        assertThat(execution.completeInTransaction(Calls.CREATED)).isTrue();
        transaction.commit();
        execution.committed();
        clock.move(Duration.ofMillis(1));
        assertThat(real.find(Calls.key("K1"))).isInstanceOf(Lookup.Absent.class);
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "ended RELEASED");
    }

    @Test
    void itEndsOnce() {
        Execution execution = run();
        execution.completeInTransaction(Calls.CREATED);
        assertThat(execution.completeInTransaction(Calls.CREATED)).isFalse();
        transaction.commit();
        execution.committed();
        execution.committed();
        assertThat(execution.complete(Calls.CREATED)).isEqualTo(Ending.STALE);
        assertThat(heard.events()).containsExactly("claimed 1 NONE", "ended SUCCEEDED");
    }
}
