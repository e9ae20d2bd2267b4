// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CooldownTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PT0S  | 1    | PT1H | cooldown must be positive, but is PT0S",
                "PT-1S | 1    | PT1H | cooldown must be positive, but is PT-1S",
                "PT1S  | 0.99 | PT1H | cooldown-multiplier must be from 1 to 100, but is 0.99",
                "PT1S  | 101  | PT1H | cooldown-multiplier must be from 1 to 100, but is 101.0",
                "PT1S  | NaN  | PT1H | cooldown-multiplier must be from 1 to 100, but is NaN",
                "PT2S  | 1.1  | PT1S | max-cooldown must not be shorter than cooldown (PT2S), but is PT1S",
            })
    void aMistakeIsToldByItsNameTheRuleAndTheValue(Duration first, double multiplier, Duration max, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Cooldown(first, multiplier, max))
                .withMessage(message);
    }

    @Test
    void aLimitThatNothingGrowsToMayBeShorter() {
        Cooldown alike = new Cooldown(Duration.ofHours(2), 1, Duration.ofHours(1));
        assertThat(alike.after(null)).isEqualTo(Duration.ofHours(2));
        assertThat(alike.after(Duration.ofHours(5))).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void eachIsLongerThanTheOneBeforeUpToTheLimit() {
        Cooldown growing = new Cooldown(Duration.ofSeconds(30), 2, Duration.ofMinutes(3));
        assertThat(growing.after(null)).isEqualTo(Duration.ofSeconds(30));
        assertThat(growing.after(Duration.ofSeconds(30))).isEqualTo(Duration.ofMinutes(1));
        assertThat(growing.after(Duration.ofMinutes(1))).isEqualTo(Duration.ofMinutes(2));
        assertThat(growing.after(Duration.ofMinutes(2))).isEqualTo(Duration.ofMinutes(3));
        assertThat(growing.after(Duration.ofMinutes(3))).isEqualTo(Duration.ofMinutes(3));
    }

    @Test
    void neverShorterThanTheFirst() {
        Cooldown growing = new Cooldown(Duration.ofSeconds(30), 2, Duration.ofMinutes(3));
        assertThat(growing.after(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(30));
    }
}
