// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import dev.idempotency.tck.storm.Reply.Answered;
import dev.idempotency.tck.storm.Reply.Dropped;
import dev.idempotency.tck.storm.Reply.Missing;
import java.time.Duration;
import java.util.Locale;

/**
 * One request of a delivery, and what came back.
 *
 * @param copy which sending of the delivery, from 1; more than one if it is sent in duplicate
 * @param number which attempt of that sending, from 1
 * @param at since the storm began
 * @param took until the answer was read, or the sender gave up
 */
public record Attempt(int copy, int number, Duration at, Duration took, Reply reply) {

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%+9.3f s  copy %d, attempt %d: %s (%d ms)",
                at.toNanos() / 1e9,
                copy,
                number,
                describe(),
                took.toMillis());
    }

    private String describe() {
        if (reply instanceof Answered answered) {
            return answered.status()
                    + (answered.replayed() ? " replayed" : "")
                    + answered.retryAfter()
                            .map(value -> ", Retry-After " + value)
                            .orElse("")
                    + (answered.excerpt().isEmpty() ? "" : " " + answered.excerpt());
        }
        if (reply instanceof Dropped dropped) {
            return dropped.begun() ? "hung up on the reply's first byte" : "hung up before the reply";
        }
        return "no answer: " + ((Missing) reply).reason();
    }
}
