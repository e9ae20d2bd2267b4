// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as the table has them: microseconds, since 1970 where they are instants. */
final class Micros {

    /** Longest lease or ttl; a longer one is taken as this, so that no sum of times overflows. */
    private static final Duration LONGEST = Duration.ofDays(36_525);

    private Micros() {}

    static long of(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    /** The first whole microsecond that is not before the instant. */
    static long roundedUp(Instant instant) {
        return of(instant.plusNanos(999));
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** The duration in whole microseconds, at most 100 years. */
    static long of(Duration duration) {
        return bounded(duration).toNanos() / 1_000;
    }

    /** The duration in whole seconds, rounded up, as JDBC wants its time-outs. */
    static int wholeSeconds(Duration duration) {
        return Math.toIntExact(duration.plusNanos(999_999_999).toSeconds());
    }

    /** The duration cut to whole microseconds and to 100 years, but not to nothing. */
    static Duration atLeastOne(Duration duration) {
        Duration micros = bounded(duration);
        return micros.isZero() ? Duration.of(1, ChronoUnit.MICROS) : micros;
    }

    /** The duration cut to whole microseconds and to 100 years. */
    static Duration bounded(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? LONGEST : duration.truncatedTo(ChronoUnit.MICROS);
    }
}
