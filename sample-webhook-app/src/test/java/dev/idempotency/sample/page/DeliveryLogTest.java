// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DeliveryLogTest {

    @Test
    void countsEverythingButRemembersTheLatestHundred() {
        DeliveryLog log = new DeliveryLog();
        for (int i = 0; i < 250; i++) {
            log.add(Instant.EPOCH, "/webhooks/orders", Outcome.EXECUTED, null, 201, null, Duration.ZERO);
        }

        assertThat(log.counts()).containsEntry(Outcome.EXECUTED, 250L).containsEntry(Outcome.FAILED, 0L);
        assertThat(log.latest()).hasSize(100);
        assertThat(log.latest().get(0).number()).isEqualTo(250);
    }
}
