// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class MonotonicClockTest {

    @Test
    void startsAtTheTimeOfDayAndNeverGoesBack() {
        Instant before = Instant.now();
        MonotonicClock clock = new MonotonicClock();
        assertThat(clock.instant()).isAfterOrEqualTo(before);
        Instant last = clock.instant();
        for (int i = 0; i < 100_000; i++) {
            Instant next = clock.instant();
            assertThat(next.isBefore(last)).isFalse();
            last = next;
        }
    }

    @Test
    void goesOnAsLongAsItIsWatched() {
        MonotonicClock clock = new MonotonicClock();
        Instant start = clock.instant();
        await().until(() -> clock.instant().isAfter(start.plusMillis(20)));
    }
}
