// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import dev.idempotency.webhook.Shortcoming.LeaseTooLong;
import dev.idempotency.webhook.Shortcoming.TtlTooShort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a sender tries again.
 *
 * @param delays waits between its attempts, as far as it publishes them
 * @param window from its first attempt to its last, positive
 * @param patience how long it waits for an answer; {@code null} if it does not say
 */
public record RetrySchedule(
        List<Duration> delays, Duration window, @Nullable Duration patience) {

    /**
     * Recommended by Standard Webhooks 1.0.0: ten attempts in 75 h 35 m 5 s. Its own advice to remember ids for 5 minutes is
     * too short for that.
     */
    public static final RetrySchedule STANDARD_WEBHOOKS = of(
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(14),
            Duration.ofHours(20),
            Duration.ofDays(1));

    /** Svix's documentation of retries: eight attempts in 27 h 35 m 5 s; by hand at any time. */
    public static final RetrySchedule SVIX = of(
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(10));

    /** Stripe's documentation of webhooks: in live mode up to three days, backing off. */
    public static final RetrySchedule STRIPE = new RetrySchedule(List.of(), Duration.ofDays(3), null);

    /** GitHub's documentation of redelivery: by hand only, within 3 days (7 on Enterprise Server); 10 s for an answer. */
    public static final RetrySchedule GITHUB = new RetrySchedule(List.of(), Duration.ofDays(3), Duration.ofSeconds(10));

    /** Shopify's change log of 2024-09-10: 8 retries in 4 hours, before that 19 in 48 hours; 5 s for an answer. */
    public static final RetrySchedule SHOPIFY =
            new RetrySchedule(List.of(), Duration.ofHours(4), Duration.ofSeconds(5));

    /** Square's documentation: after 1, 2, 4, 8, 16 and 32 minutes, then hourly, up to 72 hours; 10 s for an answer. */
    public static final RetrySchedule SQUARE = new RetrySchedule(
            List.of(
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(4),
                    Duration.ofMinutes(8),
                    Duration.ofMinutes(16),
                    Duration.ofMinutes(32)),
            Duration.ofDays(3),
            Duration.ofSeconds(10));

    /** Slack's documentation of the Events API: nearly at once, after a minute, after five; 3 s for an answer. */
    public static final RetrySchedule SLACK = new RetrySchedule(
            List.of(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofMinutes(5)),
            Duration.ofMinutes(7),
            Duration.ofSeconds(3));

    public RetrySchedule {
        delays = List.copyOf(delays);
        for (Duration delay : delays) {
            if (delay.isNegative() || delay.isZero()) {
                throw new IllegalArgumentException("must have positive waits only, but has " + delay);
            }
        }
        if (window.isNegative() || window.isZero()) {
            throw new IllegalArgumentException("must end after it begins, but is " + window);
        }
    }

    /**
     * A schedule whose waits are all known.
     *
     * @throws IllegalArgumentException unless there is at least one wait, and all are positive
     */
    public static RetrySchedule of(Duration... delays) {
        List<Duration> list = List.of(delays);
        return new RetrySchedule(list, list.stream().reduce(Duration.ZERO, Duration::plus), null);
    }

    /** How long after a failed first attempt the second one comes, if that is known. */
    public Optional<Duration> firstRetry() {
        return delays.stream().findFirst();
    }

    /**
     * What of these settings does not fit the schedule; nothing is looked at but the arguments.
     *
     * @param ttl how long a finished record answers repeats
     * @param lease how long a claim holds if its owner goes silent
     * @param waits whether a repeat waits for the running attempt
     */
    public List<Shortcoming> shortcomings(Duration ttl, Duration lease, boolean waits) {
        List<Shortcoming> found = new ArrayList<>();
        if (ttl.compareTo(window) <= 0) {
            found.add(new TtlTooShort(ttl, window));
        }
        firstRetry()
                .filter(first -> !waits && lease.compareTo(first) > 0)
                .ifPresent(first -> found.add(new LeaseTooLong(lease, first)));
        return found;
    }
}
