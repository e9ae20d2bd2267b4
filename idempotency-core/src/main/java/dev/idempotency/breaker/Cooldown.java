// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long something is refused once its breaker has opened, and how that grows while it opens again and again.
 *
 * @param first length of the first cool-down, positive
 * @param multiplier what each further one is longer by, 1 to {@value #MAX_MULTIPLIER}; 1 leaves all alike
 * @param max length that none grows beyond; of meaning only if they grow, and then not shorter than {@code first}
 */
public record Cooldown(Duration first, double multiplier, Duration max) {

    /** Beyond this the second cool-down would be the longest already. */
    public static final int MAX_MULTIPLIER = 100;

    /** Where a cool-down that grows stops growing, unless told otherwise: an hour. */
    public static final Duration DEFAULT_MAX = Duration.ofHours(1);

    public Cooldown {
        if (first.isZero() || first.isNegative()) {
            throw new IllegalArgumentException("cooldown must be positive, but is " + first);
        }
        if (!(multiplier >= 1 && multiplier <= MAX_MULTIPLIER)) {
            throw new IllegalArgumentException(
                    "cooldown-multiplier must be from 1 to " + MAX_MULTIPLIER + ", but is " + multiplier);
        }
        if (multiplier > 1 && max.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "max-cooldown must not be shorter than cooldown (" + first + "), but is " + max);
        }
    }

    /** A cool-down that does not grow. */
    public static Cooldown of(Duration length) {
        return new Cooldown(length, 1, DEFAULT_MAX);
    }

    /**
     * Length of the next cool-down, in whole microseconds.
     *
     * @param previous length of the one before; {@code null} if there was none since the last success
     */
    public Duration after(@Nullable Duration previous) {
        if (previous == null || multiplier == 1) {
            return first;
        }
        double grown = Math.floor(micros(previous) * multiplier);
        Duration bounded = grown >= micros(max) ? max : Duration.of((long) grown, ChronoUnit.MICROS);
        return bounded.compareTo(first) < 0 ? first : bounded;
    }

    private static long micros(Duration duration) {
        return duration.getSeconds() * 1_000_000 + duration.getNano() / 1_000;
    }
}
