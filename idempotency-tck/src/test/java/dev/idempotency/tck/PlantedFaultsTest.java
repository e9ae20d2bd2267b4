// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.idempotency.store.IdempotencyStore;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The kit is only worth something if it turns red: it is run here against stores that are known to be wrong. */
class PlantedFaultsTest {

    private static final String TRACES = "storeAnswersAsTheFormalModelDoes";

    /** What the traces cannot show, or happen not to: they renew one claim at a time, and their cool-downs never grow. */
    private static final Set<Fault> BEYOND_THE_MODEL = EnumSet.of(
            Fault.ALGORITHM_IGNORED,
            Fault.BIZ_TYPE_IGNORED,
            Fault.RESPONSE_LOST,
            Fault.WINDOW_DOES_NOT_SLIDE,
            Fault.BATCH_ENDS_AT_THE_FIRST_LOST_CLAIM,
            Fault.BATCH_RENEWS_THE_FIRST_ONLY,
            Fault.BATCH_HAS_ONE_LEASE,
            Fault.BATCH_HAS_ONE_TTL,
            Fault.BATCH_TAKES_ANY_OF_ITS_OWNERS,
            Fault.BATCH_ANSWERS_IN_ITS_OWN_ORDER,
            Fault.BATCH_IS_CUT,
            Fault.BATCH_GOES_BY_THE_HEX_ALONE,
            Fault.BATCH_FAILS_AS_A_WHOLE_IF_A_CLAIM_HAS_ENDED,
            Fault.COOL_DOWN_NEVER_GROWS);

    private static Function<ManualClock, SteppedStore> planted = SteppedStore::new;
    private static int rounds;

    @TestFactory
    Stream<DynamicTest> everyFaultIsFound() {
        return Stream.of(Fault.values())
                .map(fault -> dynamicTest(fault.name(), () -> {
                    List<String> failed = failedTests(fault::plant, fault.isRace() ? 300 : 20);

                    assertThat(failed).containsAll(fault.foundBy());
                    if (!fault.isRace() && !BEYOND_THE_MODEL.contains(fault)) {
                        assertThat(failed).contains(TRACES);
                    }
                }));
    }

    @Test
    void storeWithoutFaultPasses() {
        assertThat(failedTests(SteppedStore::new, 200)).isEmpty();
    }

    private static List<String> failedTests(Function<ManualClock, SteppedStore> store, int racingRounds) {
        planted = store;
        rounds = racingRounds;
        Events tests = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(PlantedStore.class))
                .execute()
                .testEvents();
        assertThat(tests.started().count()).isGreaterThan(80);
        return tests.failed().stream()
                .map(event -> event.getTestDescriptor().getDisplayName().replace("()", ""))
                .toList();
    }

    /** Not named like a test, so that only this class runs it. */
    static class PlantedStore extends IdempotencyStoreTck {

        private final ManualClock clock = new ManualClock();
        private final IdempotencyStore store = planted.apply(clock);

        @Override
        protected IdempotencyStore openStore() {
            return store;
        }

        @Override
        protected void elapse(Duration duration) {
            clock.advance(duration);
        }

        @Override
        protected int rounds() {
            return rounds;
        }
    }
}
