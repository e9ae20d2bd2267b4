// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a signature's time may be from now.
 *
 * @param limit zero for any
 * @param future whether the limit holds for the future as well as for the past
 */
record Tolerance(Duration limit, boolean future) {

    /** What Standard Webhooks' libraries, Stripe's and Slack's all have. */
    static final Duration USUAL = Duration.ofMinutes(5);

    Tolerance with(Duration other) {
        if (other.isNegative()) {
            throw new IllegalArgumentException("a tolerance must not be negative");
        }
        return new Tolerance(other, future);
    }

    /** What is wrong with a time; {@code null} if nothing is. */
    @Nullable
    Refusal refusal(Instant signed, Instant now) {
        if (limit.isZero()) {
            return null;
        }
        if (signed.isBefore(now.minus(limit))) {
            return Refusal.TIMESTAMP_TOO_OLD;
        }
        return future && signed.isAfter(now.plus(limit)) ? Refusal.TIMESTAMP_TOO_NEW : null;
    }
}
