// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.memory.MovableClock;
import dev.idempotency.policy.IdempotencyPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IdempotencyContextTest {

    private final MovableClock clock = new MovableClock();
    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(1 << 24, clock);
    private final Calls calls = new Calls();
    private final IdempotencyCoordinator coordinator =
            new IdempotencyCoordinator(store, new InMemoryDeadLetterQueue(), List.of());

    @AfterEach
    void close() {
        coordinator.close();
    }

    private Execution run(String key) {
        return ((Decision.Run) coordinator.begin(calls.call(key))).execution();
    }

    @Test
    void itTellsOfTheAttempt() {
        run("K1").fail(null, 500);
        Execution second = run("K1");
        IdempotencyContext context = second.context();

        assertThat(context.key()).isEqualTo(Calls.key("K1"));
        assertThat(context.attempt()).isEqualTo(2);
        assertThat(context.version()).isEqualTo(second.version());
    }

    @Test
    void derivedKeysAreTheSameInEveryAttemptAndDifferByStepAndOperation() {
        Execution first = run("K1");
        String key = first.context().derivedKey("charge");
        first.fail(null, 500);

        assertThat(run("K1").context().derivedKey("charge")).isEqualTo(key).matches("[0-9a-f]{64}");
        assertThat(first.context().derivedKey("mail")).isNotEqualTo(key);
        assertThat(run("K2").context().derivedKey("charge")).isNotEqualTo(key);
        assertThat(key).isNotEqualTo(first.key().hex());
    }

    @Test
    void itBelongsToItsThreadAndTheInnermostOperation() {
        IdempotencyContext outer = run("K1").context();
        IdempotencyContext inner = run("K2").context();

        assertThat(IdempotencyContext.current()).isEmpty();
        IdempotencyContext.Scope outerScope = outer.open();
        assertThat(IdempotencyContext.current()).containsSame(outer);
        IdempotencyContext.Scope innerScope = inner.open();
        assertThat(IdempotencyContext.current()).containsSame(inner);
        IdempotencyContext.Scope none = IdempotencyContext.openNone();
        assertThat(IdempotencyContext.current()).isEmpty();
        none.close();
        assertThat(IdempotencyContext.current()).containsSame(inner);
        innerScope.close();
        assertThat(IdempotencyContext.current()).containsSame(outer);
        assertThat(CompletableFuture.supplyAsync(IdempotencyContext::current).join())
                .isEmpty();
        outerScope.close();
        assertThat(IdempotencyContext.current()).isEmpty();
    }

    @Test
    void wrappedTasksHaveItOnOtherThreads() throws Exception {
        IdempotencyContext context = run("K1").context();
        CompletableFuture<IdempotencyContext> seen = new CompletableFuture<>();

        CompletableFuture.runAsync(context.wrap((Runnable)
                        () -> seen.complete(IdempotencyContext.current().orElseThrow())))
                .join();

        assertThat(seen.join()).isSameAs(context);
        assertThat(context.wrap(() -> IdempotencyContext.current().orElseThrow())
                        .call())
                .isSameAs(context);
        assertThatThrownBy(() -> context.wrap((Runnable) () -> {
                            throw new IllegalStateException("broke");
                        })
                        .run())
                .hasMessage("broke");
        assertThat(IdempotencyContext.current()).isEmpty();
    }

    @Test
    void anAnswerThatIsNotToBeStoredLeavesNoRecord() {
        Execution execution = run("K1");
        execution.context().doNotStore();
        assertThat(execution.complete(Calls.CREATED)).isEqualTo(Ending.RECORDED);
        Execution large = run("K1");
        assertThat(large.attempts()).isOne();
        large.context().doNotStore();
        large.completeWithoutAnswer();
        assertThat(run("K1").attempts()).isOne();
    }

    @Test
    void aFailureIsRememberedWhateverBecomesOfAnswers() {
        Execution execution = run("K1");
        execution.context().doNotStore();
        execution.fail(null, 500);
        assertThat(run("K1").attempts()).isEqualTo(2);
    }

    @Test
    void anAnswerMayHaveItsOwnTime() {
        Execution shorter = run("K1");
        shorter.context().storeFor(Duration.ofSeconds(5));
        shorter.complete(Calls.CREATED);
        Execution longer = run("K2");
        longer.context().storeFor(IdempotencyPolicy.MAX_TTL);
        longer.complete(Calls.CREATED);

        clock.move(Duration.ofSeconds(4));
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.Replay.class);
        clock.move(Duration.ofSeconds(1));
        assertThat(coordinator.begin(calls.call("K1"))).isInstanceOf(Decision.Run.class);
        clock.move(calls.ttl);
        assertThat(coordinator.begin(calls.call("K2"))).isInstanceOf(Decision.Replay.class);
    }

    @Test
    void anAnswersTimeHasBounds() {
        IdempotencyContext context = run("K1").context();
        for (Duration ttl : List.of(Duration.ZERO, Duration.ofSeconds(-1), IdempotencyPolicy.MAX_TTL.plusNanos(1))) {
            assertThatThrownBy(() -> context.storeFor(ttl)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
