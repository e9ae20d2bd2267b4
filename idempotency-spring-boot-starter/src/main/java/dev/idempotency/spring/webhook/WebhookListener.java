// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

/**
 * Hears what becomes of deliveries; for metrics and tests. Methods are called on the thread of the request, and do nothing
 * unless overridden. Every argument has a small set of values.
 */
public interface WebhookListener {

    /**
     * A delivery was let through or refused.
     *
     * @param sender whose path it came to
     * @param outcome {@code verified}, {@code redriven} by an operator, or why it was refused, such as
     *     {@code signature-wrong} or {@code too-large}
     */
    default void arrived(String sender, String outcome) {}

    /**
     * An event was processed.
     *
     * @param share how much of {@code of} it took, or leaves: 1 for all of it
     * @param of {@code next-retry}: processing time by the wait for the sender's next attempt; {@code lease}: the same by the
     *     lease; {@code window}: the ttl by the sender's retry window, which should be more than 1
     */
    default void covered(String sender, String bizType, String of, double share) {}
}
