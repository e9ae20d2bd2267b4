// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.IdempotencyContext;
import dev.idempotency.IdempotencyException;
import dev.idempotency.Idempotent;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.policy.IdempotencyLevel;
import dev.idempotency.policy.MissingKey;
import dev.idempotency.policy.OnCompleted;
import dev.idempotency.spring.autoconfigure.IdempotencyAutoConfiguration;
import dev.idempotency.spring.autoconfigure.JsonAutoConfiguration;
import dev.idempotency.spring.autoconfigure.MethodIdempotencyAutoConfiguration;
import dev.idempotency.spring.autoconfigure.TransactionAutoConfiguration;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What a call of a protected method gets, and how often the method runs. */
class MethodProtectionTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TransactionAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class,
                    JsonAutoConfiguration.class,
                    MethodIdempotencyAutoConfiguration.class))
            .withBean(Payments.class);

    private void with(Consumer<Payments> test) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(Payments.class));
        });
    }

    record Receipt(String id, Instant at, BigDecimal amount, Optional<String> note) {}

    public static class Unwritable {
        public String getText() {
            throw new IllegalStateException("not now");
        }

        public void setText(String text) {}
    }

    static class Payments {

        private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
        private volatile @Nullable CompletableFuture<Receipt> pending;

        int ran(String name) {
            return runs.computeIfAbsent(name, key -> new AtomicInteger()).incrementAndGet();
        }

        int runs(String name) {
            AtomicInteger count = runs.get(name);
            return count == null ? 0 : count.get();
        }

        List<Integer> allRuns() {
            return runs.values().stream().map(AtomicInteger::get).toList();
        }

        CompletableFuture<Receipt> pending() {
            return pending;
        }

        @Idempotent(bizType = "charge", keyResolver = "#id")
        Receipt charge(String id, BigDecimal amount) {
            int run = ran(id);
            return new Receipt(id + run, Instant.ofEpochSecond(1, 123_456_789), amount, Optional.empty());
        }

        @Idempotent(bizType = "charge", keyResolver = "#id")
        String charge(Integer id) {
            return "integer " + ran("overload");
        }

        @Idempotent(bizType = "charge", keyResolver = "#id")
        String charge(String id) {
            return "text " + ran("overload");
        }

        @Idempotent(keyResolver = "#id")
        public void send(String id) {
            ran(id);
        }

        @Idempotent(keyResolver = "#id")
        public @Nullable Integer nothing(String id) {
            ran(id);
            return null;
        }

        @Idempotent(keyResolver = "#id")
        public Optional<List<Receipt>> maybe(String id, boolean there) {
            ran(id);
            return there ? Optional.of(List.of(charge(id, BigDecimal.ONE))) : Optional.empty();
        }

        @Idempotent(keyResolver = "#id")
        public String textNull(String id) {
            ran(id);
            return "null";
        }

        @Idempotent(keyResolver = "#id")
        public CompletableFuture<Receipt> later(String id) {
            ran(id);
            CompletableFuture<Receipt> future = new CompletableFuture<>();
            pending = future;
            return future;
        }

        @Idempotent(keyResolver = "#id")
        public String fails(String id) throws IOException {
            if (ran(id) == 1) {
                throw new IOException("broke");
            }
            return "worked";
        }

        @Idempotent(keyResolver = "#id", level = IdempotencyLevel.BUSINESS_ID)
        public String loose(String id, String anything) {
            return anything + ran(id);
        }

        @Idempotent(keyResolver = "#id", missingKey = MissingKey.BYPASS)
        public String bypass(String id) {
            return "run " + ran("bypass");
        }

        @Idempotent(keyResolver = "#id", onCompleted = OnCompleted.CONFLICT)
        public String once(String id) {
            return "run " + ran(id);
        }

        @Idempotent(keyResolver = "#id")
        public String broken(String id, int number) {
            throw new UnsupportedOperationException(id + number);
        }

        @Idempotent(keyResolver = "#id")
        public Unwritable unwritable(String id) {
            ran(id);
            return new Unwritable();
        }

        @Idempotent(keyResolver = "#id")
        public String notStored(String id) {
            IdempotencyContext context = IdempotencyContext.current().orElseThrow();
            context.doNotStore();
            return context.derivedKey("step") + " " + ran(id);
        }

        @Idempotent(keyResolver = "#id")
        public String storedFor(String id, Duration ttl) {
            IdempotencyContext.current().orElseThrow().storeFor(ttl);
            return "run " + ran(id);
        }
    }

    @Test
    void aRepeatGetsTheFirstResultOfTheDeclaredType() {
        with(payments -> {
            Receipt first = payments.charge("a", new BigDecimal("1.10"));
            Receipt repeat = payments.charge("a", new BigDecimal("1.10"));

            assertThat(repeat).usingRecursiveComparison().isEqualTo(first);
            assertThat(repeat.amount()).isEqualTo(new BigDecimal("1.10"));
            assertThat(payments.runs("a")).isEqualTo(1);
        });
    }

    @Test
    void otherContentUnderTheSameKeyIsRefused() {
        with(payments -> {
            payments.charge("a", BigDecimal.ONE);

            assertThatThrownBy(() -> payments.charge("a", BigDecimal.TEN))
                    .isInstanceOf(IdempotencyException.KeyReused.class)
                    .hasMessageContaining("Payments.charge");
            assertThat(payments.runs("a")).isEqualTo(1);
        });
    }

    @Test
    void overloadsAreDifferentOperations() {
        with(payments -> {
            assertThat(payments.charge(7)).isEqualTo("integer 1");
            assertThat(payments.charge("7")).isEqualTo("text 2");
            assertThat(payments.charge(7)).isEqualTo("integer 1");
        });
    }

    @Test
    void noValueIsRememberedAsWhatItIs() {
        with(payments -> {
            payments.send("void");
            payments.send("void");
            assertThat(payments.nothing("null")).isNull();
            assertThat(payments.nothing("null")).isNull();
            assertThat(payments.maybe("empty", false)).isEmpty();
            assertThat(payments.maybe("empty", false)).isEmpty();
            assertThat(payments.textNull("text")).isEqualTo("null");
            assertThat(payments.textNull("text")).isEqualTo("null");

            assertThat(payments.allRuns()).containsOnly(1);
        });
    }

    @Test
    void genericTypesComeBackWhole() {
        with(payments -> {
            List<Receipt> first = payments.maybe("list", true).orElseThrow();
            List<Receipt> repeat = payments.maybe("list", true).orElseThrow();

            assertThat(repeat).usingRecursiveComparison().isEqualTo(first);
            assertThat(repeat.get(0)).isInstanceOf(Receipt.class);
        });
    }

    @Test
    void aFutureIsARunningCallUntilItIsComplete() {
        with(payments -> {
            CompletableFuture<Receipt> first = payments.later("f");
            assertThatThrownBy(() -> payments.later("f"))
                    .isInstanceOfSatisfying(
                            IdempotencyException.InProgress.class,
                            e -> assertThat(e.retryAfter())
                                    .hasValueSatisfying(
                                            after -> assertThat(after).isPositive()));
            Receipt receipt = new Receipt("1", Instant.EPOCH, BigDecimal.ONE, Optional.of("x"));
            payments.pending().complete(receipt);

            assertThat(first.orTimeout(30, TimeUnit.SECONDS).join()).isSameAs(receipt);
            assertThat(payments.later("f"))
                    .isCompletedWithValueMatching(repeat -> repeat.id().equals("1"));
            assertThat(payments.runs("f")).isEqualTo(1);
        });
    }

    @Test
    void aFailedFutureMayBeRepeated() {
        with(payments -> {
            CompletableFuture<Receipt> first = payments.later("f");
            IllegalStateException broke = new IllegalStateException("broke");
            payments.pending().completeExceptionally(broke);

            assertThatThrownBy(() -> first.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCause(broke);
            CompletableFuture<Receipt> second = payments.later("f");
            second.cancel(true);
            assertThat(payments.pending()).isCancelled();
            assertThat(payments.runs("f")).isEqualTo(2);
        });
    }

    @Test
    void whatTheMethodThrowsReachesTheCallerAndTheNextCallRuns() {
        with(payments -> {
            assertThatThrownBy(() -> payments.fails("x"))
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessage("broke");
            try {
                assertThat(payments.fails("x")).isEqualTo("worked");
                assertThat(payments.fails("x")).isEqualTo("worked");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            assertThat(payments.runs("x")).isEqualTo(2);
        });
    }

    @Test
    void aMethodThatFailsRepeatedlyCoolsDownAndIsADeadLetter() {
        application.run(context -> {
            Payments payments = context.getBean(Payments.class);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> payments.broken("b", 7))
                        .isExactlyInstanceOf(UnsupportedOperationException.class);
            }
            assertThatThrownBy(() -> payments.broken("b", 7))
                    .isInstanceOfSatisfying(
                            IdempotencyException.CoolingDown.class,
                            e -> assertThat(e.retryAfter()).isPresent());

            InMemoryDeadLetterQueue letters = context.getBean(InMemoryDeadLetterQueue.class);
            String id = letters.list(LetterFilter.ALL, null, 1).letters().get(0).id();
            RequestSnapshot parked = letters.find(id).open().request();
            assertThat(parked.method()).isEqualTo("method");
            assertThat(parked.target()).isEqualTo(Payments.class.getName() + "#broken");
            assertThat(new String(parked.body().bytes(), StandardCharsets.UTF_8))
                    .isEqualTo("[\"b\",7]");
            assertThat(parked.bodyComplete()).isTrue();
        });
    }

    @Test
    void aResultThatIsTooLargeIsReturnedAndNotKept() {
        application.withPropertyValues("idempotency.response.max-size=100B").run(context -> {
            Payments payments = context.getBean(Payments.class);
            String large = "x".repeat(200);
            assertThat(payments.loose("l", large)).startsWith(large);
            assertThatThrownBy(() -> payments.loose("l", large))
                    .isInstanceOf(IdempotencyException.ResultUnavailable.class);
            assertThat(payments.runs("l")).isEqualTo(1);
        });
    }

    @Test
    void aResultThatCannotBeWrittenIsReturnedAndNotRunAgain() {
        with(payments -> {
            assertThat(payments.unwritable("u")).isInstanceOf(Unwritable.class);
            assertThatThrownBy(() -> payments.unwritable("u"))
                    .isInstanceOf(IdempotencyException.ResultUnavailable.class);
            assertThat(payments.runs("u")).isEqualTo(1);
        });
    }

    @Test
    void aMissingKeyIsNoSharedKey() {
        with(payments -> {
            assertThatThrownBy(() -> payments.send(null)).isInstanceOf(IdempotencyException.KeyMissing.class);
            assertThatThrownBy(() -> payments.send(" ")).isInstanceOf(IdempotencyException.KeyMissing.class);
            assertThat(payments.allRuns()).isEmpty();

            assertThat(payments.bypass(null)).isEqualTo("run 1");
            assertThat(payments.bypass(null)).isEqualTo("run 2");
            assertThat(payments.bypass("b")).isEqualTo("run 3");
            assertThat(payments.bypass("b")).isEqualTo("run 3");
        });
    }

    @Test
    void theAnnotationsRulesHold() {
        with(payments -> {
            assertThat(payments.loose("l", "x")).isEqualTo("x1");
            assertThat(payments.loose("l", "y")).isEqualTo("x1");
            assertThat(payments.once("o")).isEqualTo("run 1");
            assertThatThrownBy(() -> payments.once("o")).isInstanceOf(IdempotencyException.AlreadyProcessed.class);
        });
    }

    @Test
    void theRunningCodeHasItsSay() {
        with(payments -> {
            String first = payments.notStored("n");
            String second = payments.notStored("n");
            assertThat(first).endsWith(" 1");
            assertThat(second).endsWith(" 2");
            assertThat(first.substring(0, 64))
                    .isEqualTo(second.substring(0, 64))
                    .matches("[0-9a-f]{64}");
            assertThat(payments.storedFor("s", Duration.ofMinutes(1))).isEqualTo("run 1");
            assertThat(payments.storedFor("s", Duration.ofMinutes(1))).isEqualTo("run 1");
            assertThatThrownBy(() -> payments.storedFor("t", Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(IdempotencyContext.current()).isEmpty();
        });
    }
}
