// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SenderScheduleTest {

    @Test
    void publishedWindowsAreKept() {
        assertThat(SenderSchedule.STANDARD_WEBHOOKS.window()).isEqualTo(Duration.parse("PT75H35M5S"));
        assertThat(SenderSchedule.SVIX.window()).isEqualTo(Duration.parse("PT27H35M5S"));
        assertThat(SenderSchedule.STRIPE.window()).isEqualTo(Duration.ofDays(3));
        assertThat(SenderSchedule.SHOPIFY.window()).isEqualTo(Duration.ofHours(4));
        assertThat(SenderSchedule.SHOPIFY.waits()).hasSize(8);
        assertThat(SenderSchedule.SQUARE.window()).isBetween(Duration.ofHours(71), Duration.ofDays(3));
        assertThat(SenderSchedule.GITHUB.waits()).isEmpty();
    }

    @Test
    void compressionKeepsTheProportions() {
        SenderSchedule compressed =
                SenderSchedule.STEPPED.compressedTo(Duration.ofSeconds(33).plusMillis(600));

        assertThat(compressed.waits())
                .containsExactly(
                        Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofSeconds(3), Duration.ofSeconds(30));
        assertThat(SenderSchedule.IMPATIENT.compressedTo(Duration.ofSeconds(5))).isEqualTo(SenderSchedule.IMPATIENT);
    }

    @Test
    void everyScheduleIsFoundByItsName() {
        assertThat(SenderSchedule.all())
                .allSatisfy(schedule ->
                        assertThat(SenderSchedule.named(schedule.name())).contains(schedule));
        assertThat(SenderSchedule.named("Stripe")).contains(SenderSchedule.STRIPE);
        assertThat(SenderSchedule.named("pigeon")).isEmpty();
    }

    @Test
    void aWaitThatIsNoneIsRefused() {
        assertThatThrownBy(() -> new SenderSchedule("own", List.of(Duration.ZERO)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
