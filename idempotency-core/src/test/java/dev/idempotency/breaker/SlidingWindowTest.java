// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlidingWindowTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final BreakerPolicy POLICY = new BreakerPolicy(3, Duration.ofSeconds(5), Duration.ofSeconds(30));

    @Test
    void theThirdFailureWithinTheWindowOpens() {
        SlidingWindow window = afterFailures(POLICY, 0, 2_000, 4_999);
        assertThat(window.cooledUntil()).isEqualTo(at(34_999));
        assertThat(window.isCoolingDown(at(34_998))).isTrue();
        assertThat(window.isCoolingDown(at(34_999))).isFalse();
    }

    @Test
    void aFailureExactlyAsOldAsTheWindowNoLongerCounts() {
        SlidingWindow window = afterFailures(POLICY, 0, 2_000, 5_000);
        assertThat(window.cooledUntil()).isNull();
        assertThat(window.failures()).containsExactly(at(2_000), at(5_000));
        assertThat(window.isCoolingDown(at(5_000))).isFalse();
    }

    @Test
    void failuresAtTheSameInstantAllCount() {
        assertThat(afterFailures(POLICY, 7, 7).cooledUntil()).isNull();
        assertThat(afterFailures(POLICY, 7, 7, 7).cooledUntil()).isEqualTo(at(30_007));
    }

    @Test
    void theTrialAfterACoolDownOpensAgainAtOnceHoweverLongAgoThatWas() {
        SlidingWindow window = afterFailures(POLICY, 0, 1, 2, 50_000_000);
        assertThat(window.cooledUntil()).isEqualTo(at(50_030_000));
    }

    @Test
    void oneFailureIsEnoughIfThePolicySaysSo() {
        BreakerPolicy one = new BreakerPolicy(1, Duration.ofMillis(1), Duration.ofMillis(1));
        assertThat(afterFailures(one, 0).cooledUntil()).isEqualTo(at(1));
    }

    @Test
    void aBreakerThatIsSwitchedOffForgetsEverything() {
        SlidingWindow open = afterFailures(POLICY, 0, 1, 2);
        assertThat(open.afterFailure(BreakerPolicy.OFF, at(3))).isEqualTo(SlidingWindow.EMPTY);
        assertThat(afterFailures(BreakerPolicy.OFF, 0, 0, 0, 0)).isEqualTo(SlidingWindow.EMPTY);
    }

    @Test
    void keepsNoMoreFailuresThanThePolicyAsksFor() {
        SlidingWindow window = SlidingWindow.EMPTY;
        for (int i = 0; i < 200; i++) {
            window = window.afterFailure(POLICY, at(i));
        }
        assertThat(window.failures()).containsExactly(at(197), at(198), at(199));
    }

    @Test
    void aLowerLimitAppliesToTheFailuresOnRecord() {
        BreakerPolicy two = new BreakerPolicy(2, POLICY.window(), POLICY.cooldown());
        assertThat(afterFailures(POLICY, 0, 1).afterFailure(two, at(2)).cooledUntil())
                .isEqualTo(at(30_002));
    }

    @Test
    void opensExactlyWhenEnoughOfAllFailuresAreYoungerThanTheWindow() {
        Random random = new Random(3);
        for (int round = 0; round < 2_000; round++) {
            BreakerPolicy policy = new BreakerPolicy(
                    1 + random.nextInt(4), Duration.ofMillis(1 + random.nextInt(20)), Duration.ofDays(1));
            List<Instant> all = new ArrayList<>();
            SlidingWindow window = SlidingWindow.EMPTY;
            Instant now = START;
            while (window.cooledUntil() == null && all.size() < 30) {
                now = now.plusMillis(random.nextInt(12));
                all.add(now);
                window = window.afterFailure(policy, now);
                Instant start = now.minus(policy.window());
                long young =
                        all.stream().filter(failure -> failure.isAfter(start)).count();
                assertThat(window.isCoolingDown(now)).isEqualTo(young >= policy.failures());
            }
        }
    }

    private static SlidingWindow afterFailures(BreakerPolicy policy, long... millis) {
        SlidingWindow window = SlidingWindow.EMPTY;
        for (long at : millis) {
            window = window.afterFailure(policy, at(at));
        }
        return window;
    }

    private static Instant at(long millis) {
        return START.plusMillis(millis);
    }
}
