// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * When a sender that got no 2xx tries again.
 *
 * @param name in lower case, such as {@code standard-webhooks}
 * @param waits between one attempt and the next, each positive; empty if the sender never tries again by itself
 */
public record SenderSchedule(String name, List<Duration> waits) {

    /** A shop platform's answer to a 429, as seen in an incident: five more attempts, 200 ms apart. */
    public static final SenderSchedule IMPATIENT =
            new SenderSchedule("impatient", List.of(ms(200), ms(200), ms(200), ms(200), ms(200)));

    /** An ERP's steps, as seen in an incident: after 1 s, 5 s, 30 s and 5 min. */
    public static final SenderSchedule STEPPED =
            new SenderSchedule("stepped", List.of(ms(1_000), ms(5_000), ms(30_000), minutes(5)));

    /** Recommended by Standard Webhooks 1.0.0: ten attempts in 75 h 35 m 5 s. */
    public static final SenderSchedule STANDARD_WEBHOOKS = new SenderSchedule(
            "standard-webhooks",
            List.of(
                    ms(5_000),
                    minutes(5),
                    minutes(30),
                    hours(2),
                    hours(5),
                    hours(10),
                    hours(14),
                    hours(20),
                    hours(24)));

    /** Svix's documentation of retries: eight attempts in 27 h 35 m 5 s. */
    public static final SenderSchedule SVIX = new SenderSchedule(
            "svix", List.of(ms(5_000), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(10)));

    /** Stripe's documentation of webhooks: up to three days, backing off. The steps are assumed: each twice the last. */
    public static final SenderSchedule STRIPE = new SenderSchedule("stripe", doubling(minutes(5), 9, hours(72)));

    /** GitHub's documentation of redelivery: never by itself. Use duplicates for what people do by hand. */
    public static final SenderSchedule GITHUB = new SenderSchedule("github", List.of());

    /** Shopify's change log of 2024-09-10: 8 retries in 4 hours. The steps are assumed: each twice the last. */
    public static final SenderSchedule SHOPIFY = new SenderSchedule("shopify", doubling(minutes(1), 8, hours(4)));

    /** Square's documentation: after 1, 2, 4, 8, 16 and 32 minutes, then hourly, up to 72 hours. */
    public static final SenderSchedule SQUARE = new SenderSchedule("square", square());

    /** Slack's documentation of the Events API: nearly at once, after a minute, after five. */
    public static final SenderSchedule SLACK = new SenderSchedule("slack", List.of(ms(1_000), minutes(1), minutes(5)));

    private static final List<SenderSchedule> ALL =
            List.of(IMPATIENT, STEPPED, STANDARD_WEBHOOKS, SVIX, STRIPE, GITHUB, SHOPIFY, SQUARE, SLACK);

    public SenderSchedule {
        waits = List.copyOf(waits);
        for (Duration wait : waits) {
            if (wait.isNegative() || wait.isZero()) {
                throw new IllegalArgumentException("a schedule must have positive waits only, but has " + wait);
            }
        }
    }

    /** Every published schedule, and the two of the incidents. */
    public static List<SenderSchedule> all() {
        return ALL;
    }

    /** The schedule of that name, whatever its case. */
    public static Optional<SenderSchedule> named(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        return ALL.stream().filter(schedule -> schedule.name.equals(wanted)).findAny();
    }

    /** From the first attempt to the last. */
    public Duration window() {
        return waits.stream().reduce(Duration.ZERO, Duration::plus);
    }

    /** The same schedule, its waits shortened in proportion so that the last attempt comes at most that long after the first. */
    public SenderSchedule compressedTo(Duration length) {
        Duration window = window();
        if (window.compareTo(length) <= 0) {
            return this;
        }
        double factor = (double) length.toNanos() / window.toNanos();
        return new SenderSchedule(
                name,
                waits.stream()
                        .map(wait -> Duration.ofNanos(Math.max(1, (long) (wait.toNanos() * factor))))
                        .toList());
    }

    private static List<Duration> doubling(Duration first, int retries, Duration window) {
        List<Duration> waits = new ArrayList<>();
        Duration wait = first;
        Duration left = window;
        for (int retry = 1; retry < retries; retry++) {
            waits.add(wait);
            left = left.minus(wait);
            wait = wait.multipliedBy(2);
        }
        waits.add(left);
        return waits;
    }

    private static List<Duration> square() {
        List<Duration> waits =
                new ArrayList<>(List.of(minutes(1), minutes(2), minutes(4), minutes(8), minutes(16), minutes(32)));
        for (Duration at = minutes(63).plus(hours(1)); at.compareTo(hours(72)) <= 0; at = at.plus(hours(1))) {
            waits.add(hours(1));
        }
        return waits;
    }

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    private static Duration minutes(long minutes) {
        return Duration.ofMinutes(minutes);
    }

    private static Duration hours(long hours) {
        return Duration.ofHours(hours);
    }
}
