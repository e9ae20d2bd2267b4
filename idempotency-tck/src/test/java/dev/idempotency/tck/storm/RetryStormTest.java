// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.tck.storm.Reply.Dropped;
import dev.idempotency.tck.storm.ToyReceiver.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RetryStormTest {

    private static final List<UnaryOperator<StormReport>> ALL = List.of(
            StormReport::eachEffectHappenedOnce,
            StormReport::everyDeliveryWasAcknowledged,
            StormReport::everyRepeatGotTheFirstAnswer,
            StormReport::everyRepeatIsMarked,
            StormReport::noServerError,
            StormReport::everyRefusalSaysWhenToRetry,
            report -> report.onlyStatuses(201, 409),
            report -> report.everyAnswerCameWithin(Duration.ofMinutes(1)),
            report -> report.tookAtMost(Duration.ofMinutes(1)));

    @Test
    void aReceiverThatDoesItRightPassesEveryAssertion() throws Exception {
        try (ToyReceiver receiver = new ToyReceiver(Fault.NONE)) {
            StormReport report = receiver.storm()
                    .deliveries(200)
                    .schedule(SenderSchedule.STRIPE)
                    .compressTo(Duration.ofSeconds(1))
                    .duplicates(4)
                    .reorder()
                    .dropReplies(0.2)
                    .run();

            assertThat(ALL)
                    .allSatisfy(assertion -> assertThat(assertion.apply(report)).isSameAs(report));
            assertThat(report.effects()).hasValue(200);
            assertThat(report.attempts()).isGreaterThan(1_000);
            assertThat(receiver.effects()).hasSize(200);
            assertThat(report.toString())
                    .contains("deliveries               200", "201 replayed", "reply dropped", "effects");
        }
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(Fault.LOOKS_THEN_WRITES, List.of(0, 3)),
                Arguments.of(Fault.DOES_NOTHING, List.of(0)),
                Arguments.of(Fault.ANSWERS_ANEW, List.of(2)),
                Arguments.of(Fault.DOES_NOT_MARK, List.of(3)),
                Arguments.of(Fault.FAILS_ON_REPEATS, List.of(4, 6)),
                Arguments.of(Fault.FORGETS_RETRY_AFTER, List.of(5)),
                Arguments.of(Fault.REFUSES, List.of(0, 1, 6)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aPlantedFaultFailsItsAssertionsAndNoOther(Fault fault, List<Integer> expected) throws Exception {
        try (ToyReceiver receiver = new ToyReceiver(fault)) {
            StormReport report = receiver.storm()
                    .deliveries(50)
                    .duplicates(3)
                    .schedule(Duration.ofMillis(20), Duration.ofMillis(20), Duration.ofMillis(20))
                    .seed(7)
                    .run();

            for (int i = 0; i < ALL.size(); i++) {
                UnaryOperator<StormReport> assertion = ALL.get(i);
                if (expected.contains(i)) {
                    assertThatThrownBy(() -> assertion.apply(report))
                            .as("%s, assertion %d", fault, i)
                            .isInstanceOf(AssertionError.class)
                            .hasMessageContaining("50 deliveries")
                            .hasMessageContaining("key " + report.name() + "-")
                            .hasMessageContaining("copy 1, attempt 1: ")
                            .hasMessageContaining("seed(7L)");
                } else {
                    assertThatCode(() -> assertion.apply(report))
                            .as("%s, assertion %d", fault, i)
                            .doesNotThrowAnyException();
                }
            }
        }
    }

    @Test
    void aReplyThatIsDroppedBelongsToARequestThatArrived() throws Exception {
        try (ToyReceiver receiver = new ToyReceiver(Fault.NONE)) {
            StormReport report = receiver.storm()
                    .deliveries(100)
                    .schedule(Duration.ofMillis(50))
                    .dropReplies(1)
                    .run();

            assertThat(report.attempts()).isEqualTo(200);
            assertThat(receiver.requests()).isEqualTo(200);
            assertThat(receiver.effects()).hasSize(100);
            assertThat(report.deliveries())
                    .allSatisfy(delivery ->
                            assertThat(delivery.attempts().get(0).reply()).isInstanceOf(Dropped.class));
            assertThat(report.deliveries())
                    .extracting(
                            delivery -> ((Dropped) delivery.attempts().get(0).reply()).begun())
                    .contains(true, false);
        }
    }

    @Test
    void theSameSeedDropsTheSameReplies() throws Exception {
        try (ToyReceiver receiver = new ToyReceiver(Fault.NONE)) {
            assertThat(dropped(receiver, 3)).isEqualTo(dropped(receiver, 3)).isNotEqualTo(dropped(receiver, 4));
        }
    }

    private static Set<String> dropped(ToyReceiver receiver, long seed) {
        Set<String> dropped = new TreeSet<>();
        receiver.storm()
                .deliveries(100)
                .schedule(Duration.ofMillis(10))
                .dropReplies(0.3)
                .seed(seed)
                .run()
                .deliveries()
                .forEach(delivery -> delivery.attempts().stream()
                        .filter(attempt -> attempt.reply() instanceof Dropped)
                        .forEach(attempt -> dropped.add(
                                delivery.delivery().number() + " " + attempt.number() + " " + attempt.reply())));
        return dropped;
    }

    @Test
    void theLimitEndsAStormThatNobodyAnswers() throws Exception {
        try (ToyReceiver receiver = new ToyReceiver(Fault.HANGS)) {
            StormReport report = receiver.storm()
                    .deliveries(20)
                    .concurrency(4)
                    .limit(Duration.ofMillis(300))
                    .run();

            assertThatThrownBy(() -> report.onlyStatuses(201))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("the limit of PT0.3S cut off 20 sendings");
        }
    }

    @Test
    void nobodyAnsweringIsNoAcknowledgement() throws Exception {
        String url;
        try (ToyReceiver receiver = new ToyReceiver(Fault.NONE)) {
            url = receiver.url();
        }
        StormReport report = RetryStorm.on("/orders")
                .at(url)
                .deliveries(2)
                .schedule(Duration.ofMillis(1))
                .run();

        assertThatThrownBy(report::everyDeliveryWasAcknowledged)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("2 of 2 deliveries never got a 2xx")
                .hasMessageContaining("no answer: ");
        assertThatThrownBy(report::eachEffectHappenedOnce)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("effects(");
    }

    @Test
    void aTotalIsEnoughToFindThatSomethingHappenedTwice() throws Exception {
        try (ToyReceiver receiver = new ToyReceiver(Fault.LOOKS_THEN_WRITES)) {
            StormReport report = receiver.storm()
                    .effectCount(() -> receiver.effects().size())
                    .deliveries(20)
                    .duplicates(3)
                    .run();

            assertThatThrownBy(report::eachEffectHappenedOnce)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("effects of 20 deliveries")
                    .hasMessageContaining("copy 1, attempt 1");
        }
    }

    @Test
    void eachAttemptHasItsHeadersAndEachDeliveryItsBody() throws Exception {
        try (ToyReceiver receiver = new ToyReceiver(Fault.NONE)) {
            receiver.storm()
                    .name("s1")
                    .deliveries(3)
                    .duplicates(1)
                    .withoutKeyHeader()
                    .key("evt_{storm}_{n}")
                    .body("{\"id\": \"{key}\"}")
                    .headersOfAttempt((delivery, body) -> Map.of("X-Idempotency-Key", delivery.key()))
                    .run()
                    .eachEffectHappenedOnce();

            assertThat(receiver.bodies())
                    .containsExactlyInAnyOrder(
                            "{\"id\": \"evt_s1_0\"}", "{\"id\": \"evt_s1_1\"}", "{\"id\": \"evt_s1_2\"}");
        }
    }

    @Test
    void aMistakeInTheTestIsNotTakenForTheReceivers() throws Exception {
        try (ToyReceiver receiver = new ToyReceiver(Fault.NONE)) {
            assertThatThrownBy(() -> receiver.storm()
                            .body(delivery -> {
                                throw new UnsupportedOperationException("no body");
                            })
                            .run())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no body");
            assertThatThrownBy(() -> receiver.storm().effectId("one for all").run())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("effects must be told apart");
        }
    }

    @Test
    void onlyThisMachineIsTestedWithoutBeingAskedForByName() {
        assertThatThrownBy(() -> RetryStorm.on("/").at("http://192.0.2.1").run())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("you may test 192.0.2.1");
        assertThatThrownBy(() -> RetryStorm.on("/").at("ftp://localhost").run())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http://host:port");
        assertThatThrownBy(() -> RetryStorm.on("/").run())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("told its server");
    }

    @Test
    void aStormIsBounded() {
        RetryStorm storm = RetryStorm.on("/").at("http://localhost:1");

        assertThatThrownBy(() -> storm.deliveries(1_000_000).duplicates(1).run())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2000000");
        assertThatThrownBy(() -> storm.concurrency(1_000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> storm.limit(Duration.ofDays(2))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> storm.dropReplies(1.1)).isInstanceOf(IllegalArgumentException.class);
    }
}
