// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.RoutePolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdempotencyPolicyTest {

    private static final Duration OK = Duration.ofSeconds(60);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PT0S | PT0S | PT1S | timeout must be at least PT0.1S, but is PT0S",
                "PT1S | PT-1S | PT1S | timeout must be at least PT0.1S, but is PT-1S",
                "PT1S | PT0.099S | PT1S | timeout must be at least PT0.1S, but is PT0.099S",
                "PT0S | PT60S | PT1S | ttl must not be shorter than timeout (PT1M), but is PT0S",
                "PT-1S | PT60S | PT1S | ttl must not be shorter than timeout (PT1M), but is PT-1S",
                "PT59.999S | PT60S | PT1S | ttl must not be shorter than timeout (PT1M), but is PT59.999S",
                "P3650DT1S | PT60S | PT1S | ttl must be at most PT87600H, but is PT87600H1S",
                "PT2562047788015H12M55.807S | PT60S | PT1S | ttl must be at most PT87600H, but is PT2562047788015H12M55.807S",
                "PT60S | PT60S | PT0S | wait-timeout must be positive, but is PT0S",
                "PT60S | PT60S | PT-1S | wait-timeout must be positive, but is PT-1S",
                "PT60S | PT60S | PT1H1S | wait-timeout must be at most PT1H, but is PT1H1S",
                "PT60S | PT60S | P106751991167300D | wait-timeout must be at most PT1H, but is PT2562047788015200H",
            })
    void aMistakeIsToldByItsNameTheRuleAndTheValue(Duration ttl, Duration lease, Duration wait, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy("b", ttl, lease, wait, BreakerPolicy.DEFAULT))
                .withMessage(message);
    }

    @Test
    void aBreakerWithTimesThatWouldOverflowIsRefused() {
        Duration max = IdempotencyPolicy.MAX_TTL;
        Duration tooLong = Duration.ofSeconds(Long.MAX_VALUE);
        assertThat(policy("b", OK, OK, OK, new BreakerPolicy(3, max, max))
                        .breaker()
                        .window())
                .isEqualTo(max);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy("b", OK, OK, OK, new BreakerPolicy(3, tooLong, max)))
                .withMessage("breaker.window and breaker.cooldown must be at most PT87600H, but are " + tooLong
                        + " and PT87600H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy("b", OK, OK, OK, new BreakerPolicy(3, max, tooLong)))
                .withMessageEndingWith("but are PT87600H and " + tooLong);
    }

    @Test
    void aBizTypeUnfitForKeysIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdempotencyPolicy.defaults("a b"))
                .withMessageContaining("'a b'");
    }

    @Test
    void theEdgesAreAllowed() {
        assertThat(policy("b", Duration.ofMillis(100), Duration.ofMillis(100), Duration.ofNanos(1), BreakerPolicy.OFF))
                .isNotNull();
        assertThat(policy(
                        "b",
                        IdempotencyPolicy.MAX_TTL,
                        IdempotencyPolicy.MAX_TTL,
                        Duration.ofHours(1),
                        BreakerPolicy.OFF))
                .isNotNull();
    }

    private static IdempotencyPolicy policy(
            String bizType, Duration ttl, Duration lease, Duration wait, BreakerPolicy breaker) {
        return new IdempotencyPolicy(
                bizType,
                ttl,
                lease,
                IdempotencyLevel.FULL_REQUEST,
                OnDuplicate.REJECT,
                wait,
                OnCompleted.REPLAY,
                OnOrphan.TAKE_OVER,
                StoreFailure.CLOSED,
                breaker,
                RoutePolicy.OFF,
                false);
    }
}
