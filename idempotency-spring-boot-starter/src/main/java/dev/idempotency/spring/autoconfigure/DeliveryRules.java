// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.policy.OnDuplicate;
import dev.idempotency.spring.autoconfigure.IdempotencyProperties.Checks;
import dev.idempotency.spring.webhook.DeliveryCoverage;
import dev.idempotency.spring.webhook.WebhookSender;
import dev.idempotency.webhook.RetrySchedule;
import dev.idempotency.webhook.Shortcoming;
import dev.idempotency.webhook.Shortcoming.LeaseTooLong;
import dev.idempotency.webhook.Shortcoming.TtlTooShort;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which rules fit a sender of webhooks, and what becomes of rules that do not. */
final class DeliveryRules {

    private static final Logger log = LoggerFactory.getLogger(DeliveryRules.class);

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);

    /** An owner that pauses for longer is seldom alive. */
    private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(5);

    private static final List<String> SUCCESS = List.of("2xx");

    private final Checks checks;
    private final Supplier<DeliveryCoverage> coverage;

    /**
     * @param coverage asked for once there is a sender
     */
    DeliveryRules(Checks checks, Supplier<DeliveryCoverage> coverage) {
        this.checks = checks;
        this.coverage = coverage;
    }

    /**
     * Rules for whatever nobody says otherwise: a ttl of a quarter more than the sender goes on trying, a timeout that its
     * next attempt does not run into, no waiting beyond its own patience, and only 2xx for success, as to senders.
     */
    static BizTypeProperties fitting(WebhookSender sender) {
        RetrySchedule schedule = sender.schedule();
        if (schedule == null) {
            return rules(null, null, null, null);
        }
        Duration ttl = max(DAY, schedule.window().plus(schedule.window().dividedBy(4)));
        Duration first = schedule.firstRetry().orElse(LONGEST_TIMEOUT);
        Duration timeout = max(SHORTEST_TIMEOUT, min(LONGEST_TIMEOUT, first));
        Duration patience = schedule.patience();
        if (patience == null) {
            return rules(ttl, timeout, null, null);
        }
        OnDuplicate onDuplicate = first.compareTo(timeout) < 0 ? OnDuplicate.WAIT : null;
        return rules(ttl, timeout, onDuplicate, patience.dividedBy(2));
    }

    private static BizTypeProperties rules(
            @Nullable Duration ttl,
            @Nullable Duration timeout,
            @Nullable OnDuplicate onDuplicate,
            @Nullable Duration waitTimeout) {
        return new BizTypeProperties(
                ttl,
                timeout,
                null,
                null,
                onDuplicate,
                waitTimeout,
                null,
                null,
                null,
                null,
                SUCCESS,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /**
     * Compares the rules that a sender's deliveries have with what the sender does, now and whenever one was processed.
     *
     * @throws InvalidConfigurationException if they do not fit and checks are strict
     */
    void check(WebhookSender sender, IdempotencyPolicy policy) {
        RetrySchedule schedule = sender.schedule();
        if (schedule == null) {
            return;
        }
        boolean waits = policy.onDuplicate() == OnDuplicate.WAIT;
        for (Shortcoming shortcoming : schedule.shortcomings(policy.ttl(), policy.lease(), waits)) {
            String complaint = complaint(shortcoming, sender.name(), policy.bizType());
            if (checks == Checks.STRICT) {
                throw new InvalidConfigurationException(complaint);
            }
            log.warn("{} (idempotency.checks).", complaint);
        }
        coverage.get().watch(sender, schedule, policy);
    }

    private static String complaint(Shortcoming shortcoming, String sender, String bizType) {
        if (shortcoming instanceof TtlTooShort tooShort) {
            return "the ttl of bizType " + bizType + " must be longer than the sender " + sender + " goes on trying ("
                    + tooShort.window() + "), or a late attempt runs again, but is " + tooShort.ttl();
        }
        LeaseTooLong tooLong = (LeaseTooLong) shortcoming;
        return "the timeout of bizType " + bizType + " must not be longer than the sender " + sender
                + " waits for its first retry (" + tooLong.firstRetry() + "), unless on-duplicate is wait, but is "
                + tooLong.lease();
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
