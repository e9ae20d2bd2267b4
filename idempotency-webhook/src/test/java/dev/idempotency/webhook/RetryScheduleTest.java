// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.webhook.Shortcoming.LeaseTooLong;
import dev.idempotency.webhook.Shortcoming.TtlTooShort;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryScheduleTest {

    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void theWindowIsTheSumOfTheWaits() {
        assertThat(RetrySchedule.STANDARD_WEBHOOKS.window()).isEqualTo(Duration.parse("PT75H35M5S"));
        assertThat(RetrySchedule.SVIX.window()).isEqualTo(Duration.parse("PT27H35M5S"));
        assertThat(RetrySchedule.of(Duration.ofSeconds(1), Duration.ofMinutes(5))
                        .window())
                .isEqualTo(Duration.ofMinutes(5).plusSeconds(1));
    }

    @Test
    void theTtlMustBeLongerThanTheWindow() {
        RetrySchedule schedule = RetrySchedule.STRIPE;
        Duration lease = Duration.ofMinutes(1);

        assertThat(schedule.shortcomings(DAY, lease, false)).containsExactly(new TtlTooShort(DAY, Duration.ofDays(3)));
        assertThat(schedule.shortcomings(schedule.window(), lease, false)).hasSize(1);
        assertThat(schedule.shortcomings(schedule.window().plusNanos(1), lease, false))
                .isEmpty();
    }

    @Test
    void theLeaseMustNotOutlastTheFirstRetryUnlessRepeatsWait() {
        RetrySchedule schedule = RetrySchedule.of(Duration.ofSeconds(5), Duration.ofMinutes(1));
        Duration lease = Duration.ofSeconds(6);

        assertThat(schedule.shortcomings(DAY, lease, false))
                .containsExactly(new LeaseTooLong(lease, Duration.ofSeconds(5)));
        assertThat(schedule.shortcomings(DAY, lease, true)).isEmpty();
        assertThat(schedule.shortcomings(DAY, Duration.ofSeconds(5), false)).isEmpty();
        assertThat(schedule.shortcomings(Duration.ofSeconds(6), lease, false)).hasSize(2);
    }

    @Test
    void aScheduleHasPositiveWaits() {
        assertThatThrownBy(() -> RetrySchedule.of(Duration.ofSeconds(1), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(RetrySchedule::of).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RetrySchedule(List.of(), Duration.ofSeconds(-1), null))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
