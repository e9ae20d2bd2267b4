// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.memory.MovableClock;
import dev.idempotency.store.ClaimResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Repeats on one instance cost the store little. */
class RepeatsTest {

    private final FaultyStore store = new FaultyStore(new InMemoryIdempotencyStore(1_000_000, new MovableClock()));
    private final Heard heard = new Heard();
    private final Calls calls = new Calls();
    private final IdempotencyCoordinator coordinator =
            new IdempotencyCoordinator(store, new InMemoryDeadLetterQueue(), List.of(heard));

    @AfterEach
    void close() {
        coordinator.close();
    }

    @Test
    void aRepeatOfWhatRunsHereAsksNobody() {
        run().complete(Calls.CREATED);
        int asked = store.claims.get();
        Execution second = run("K2");
        assertThat(store.claims).hasValue(asked + 1);
        for (int i = 0; i < 100; i++) {
            assertThat(coordinator.begin(calls.call("K2"))).isInstanceOf(Decision.InProgress.class);
            assertThat(coordinator.begin(calls.call("K2", "other"))).isInstanceOf(Decision.KeyReused.class);
        }
        assertThat(store.claims).hasValue(asked + 1);
        second.complete(Calls.CREATED);
        assertThat(coordinator.begin(calls.call("K2"))).isInstanceOf(Decision.Replay.class);
    }

    @Test
    void repeatsThatArriveTogetherShareOneAnswer() throws Exception {
        run().complete(Calls.CREATED);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        store.claimed = result -> {
            asked.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return result;
        };
        int before = store.claims.get();
        List<CompletableFuture<Decision>> repeats = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Decision> repeat = new CompletableFuture<>();
            Thread thread = new Thread(() -> repeat.complete(coordinator.begin(calls.call("K1"))));
            thread.start();
            threads.add(thread);
            repeats.add(repeat);
            asked.await();
        }
        await().until(() -> threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
        goOn.countDown();

        for (CompletableFuture<Decision> repeat : repeats) {
            assertThat(repeat.join()).isEqualTo(new Decision.Replay(Calls.CREATED, "trace of content"));
        }
        assertThat(store.claims).hasValue(before + 1);
    }

    @Test
    void otherContentThatArrivesTogetherSharesNoAnswer() throws Exception {
        run().complete(Calls.CREATED);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        store.claimed = result -> {
            if (result instanceof ClaimResult.Completed) {
                asked.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return result;
        };
        CompletableFuture<Decision> repeat = CompletableFuture.supplyAsync(() -> coordinator.begin(calls.call("K1")));
        asked.await();
        assertThat(coordinator.begin(calls.call("K1", "other"))).isEqualTo(new Decision.KeyReused());
        goOn.countDown();
        assertThat(repeat.join()).isInstanceOf(Decision.Replay.class);
    }

    private Execution run() {
        return run("K1");
    }

    private Execution run(String key) {
        return ((Decision.Run) coordinator.begin(calls.call(key))).execution();
    }
}
