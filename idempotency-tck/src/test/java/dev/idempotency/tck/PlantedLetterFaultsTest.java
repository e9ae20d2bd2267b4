// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Like {@link PlantedFaultsTest}, for dead letters. */
class PlantedLetterFaultsTest {

    private static LetterFault planted = LetterFault.NONE;
    private static boolean shared;

    @TestFactory
    Stream<DynamicTest> everyFaultIsFound() {
        return Stream.of(LetterFault.values())
                .filter(fault -> fault != LetterFault.NONE)
                .map(fault -> dynamicTest(
                        fault.name(),
                        () -> assertThat(failedTests(fault, false)).containsAll(fault.foundBy())));
    }

    @Test
    void namespacesThatShareTheirLettersAreFound() {
        assertThat(failedTests(LetterFault.NONE, true)).contains("namespacesHaveTheirOwnLetters");
    }

    @Test
    void queueWithoutFaultPasses() {
        assertThat(failedTests(LetterFault.NONE, false)).isEmpty();
    }

    private static List<String> failedTests(LetterFault fault, boolean sharedNamespaces) {
        planted = fault;
        shared = sharedNamespaces;
        Events tests = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(PlantedQueue.class))
                .execute()
                .testEvents();
        assertThat(tests.started().count()).isGreaterThan(38);
        return tests.failed().stream()
                .map(event -> event.getTestDescriptor().getDisplayName().replace("()", ""))
                .toList();
    }

    /** Not named like a test, so that only this class runs it. */
    static class PlantedQueue extends DeadLetterQueueTck {

        private final ManualClock clock = new ManualClock();
        private final Map<String, DeadLetterQueue> queues = new HashMap<>();

        @Override
        protected DeadLetterQueue openQueue(String namespace, DeadLetterLimits limits) {
            return queues.computeIfAbsent(shared ? "all" : namespace, any -> planted.plant(limits, clock));
        }

        @Override
        protected void elapse(Duration duration) {
            clock.advance(duration);
        }

        @Override
        protected int rounds() {
            return 300;
        }
    }
}
