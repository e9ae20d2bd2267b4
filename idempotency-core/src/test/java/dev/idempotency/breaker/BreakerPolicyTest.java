// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BreakerPolicyTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-1 | PT5S | PT30S | breaker.failures must be from 0 to 50, but is -1",
                "51 | PT5S | PT30S | breaker.failures must be from 0 to 50, but is 51",
                "3 | PT0S | PT30S | breaker.window must be positive, but is PT0S",
                "3 | PT-5S | PT30S | breaker.window must be positive, but is PT-5S",
                "3 | PT5S | PT0S | cooldown must be positive, but is PT0S",
                "3 | PT5S | PT-1S | cooldown must be positive, but is PT-1S",
            })
    void aMistakeIsToldByItsNameTheRuleAndTheValue(int failures, Duration window, Duration cooldown, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BreakerPolicy(failures, window, cooldown))
                .withMessage(message);
    }

    @Test
    void theEdgesAreAllowed() {
        Duration least = Duration.ofNanos(1);
        assertThat(new BreakerPolicy(0, least, least).failures()).isZero();
        assertThat(new BreakerPolicy(50, least, least).failures()).isEqualTo(BreakerPolicy.MAX_FAILURES);
    }
}
