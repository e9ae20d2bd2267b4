// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutePolicyTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-1  | 0   | 1 | 0  | PT1S  | 1  | failures must be from 0 to 200, but is -1",
                "201 | 0   | 1 | 0  | PT1S  | 1  | failures must be from 0 to 200, but is 201",
                "0   | 101 | 1 | 0  | PT1S  | 1  | failure-rate must be from 0 to 100, but is 101",
                "0   | 50  | 0 | 0  | PT1S  | 1  | minimum-calls must be at least 1, but is 0",
                "0   | 0   | 1 | -1 | PT1S  | 1  | repeats must not be negative, but is -1",
                "0   | 0   | 1 | 0  | PT0S  | 1  | window must be at least 1ms, but is PT0S",
                "0   | 0   | 1 | 0  | PT1S  | 0  | trials must be from 1 to 20, but is 0",
                "0   | 0   | 1 | 0  | PT1S  | 21 | trials must be from 1 to 20, but is 21",
            })
    void aMistakeIsToldByItsNameTheRuleAndTheValue(
            int failures, int rate, int calls, int repeats, Duration window, int trials, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RoutePolicy(
                        failures, rate, calls, repeats, window, Cooldown.of(Duration.ofSeconds(1)), trials))
                .withMessage("route-breaker." + message);
    }

    @Test
    void anyRuleSwitchesItOn() {
        assertThat(RoutePolicy.OFF.isOn()).isFalse();
        assertThat(policy(1, 0, 0).isOn()).isTrue();
        assertThat(policy(0, 1, 0).isOn()).isTrue();
        assertThat(policy(0, 0, 1).isOn()).isTrue();
    }

    private static RoutePolicy policy(int failures, int rate, int repeats) {
        return new RoutePolicy(
                failures, rate, 1, repeats, Duration.ofSeconds(1), Cooldown.of(Duration.ofSeconds(1)), 1);
    }
}
