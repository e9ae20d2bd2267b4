// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.idempotency.tck.storm.ToyReceiver.Fault;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

class RetryStormExtensionTest {

    private final ToyReceiver receiver = receiver();

    @RegisterExtension
    final RetryStormExtension storms = RetryStormExtension.at(receiver::url);

    private static ToyReceiver receiver() {
        try {
            return new ToyReceiver(Fault.NONE);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() {
        receiver.close();
    }

    @Test
    void aimsAtTheTestsOwnServer() {
        storms.on("/orders")
                .deliveries(10)
                .duplicates(1)
                .effectIds(receiver::effects)
                .run()
                .eachEffectHappenedOnce();
    }

    @Test
    void isAimedElsewhereByParametersAndPublishesWhatCameOfIt() {
        Events tests = EngineTestKit.engine("junit-jupiter")
                .configurationParameter(RetryStormExtension.URL, receiver.url())
                .configurationParameter(RetryStormExtension.SEED, "42")
                .selectors(selectClass(AimedAtNothing.class))
                .execute()
                .testEvents();

        tests.assertStatistics(statistics -> statistics.succeeded(1).reportingEntryPublished(1));
        assertThat(receiver.effects()).hasSize(5);
        assertThat(tests.reportingEntryPublished().stream()
                        .findFirst()
                        .orElseThrow()
                        .toString())
                .contains("seed 42", "deliveries               5");
    }

    static class AimedAtNothing {

        @RegisterExtension
        final RetryStormExtension storms = RetryStormExtension.at(() -> {
            throw new AssertionError("the test's own server is not asked for");
        });

        @Test
        void storm() {
            storms.on("/orders").deliveries(5).run().everyDeliveryWasAcknowledged();
        }
    }
}
