// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import dev.idempotency.tck.storm.Reply.Answered;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What became of one delivery.
 *
 * @param effectId what its effect is counted under
 * @param effects how often it happened, unless nobody counts the effects of each delivery
 * @param attempts in the order in which they ended
 */
public record DeliveryReport(Delivery delivery, String effectId, OptionalLong effects, List<Attempt> attempts) {

    private static final int SHOWN = 12;

    public DeliveryReport {
        attempts = List.copyOf(attempts);
    }

    /** The answers that were read to their end. */
    public Stream<Answered> answers() {
        return attempts.stream()
                .map(Attempt::reply)
                .filter(Answered.class::isInstance)
                .map(Answered.class::cast);
    }

    /** The answers with 2xx. */
    public Stream<Answered> successes() {
        return answers().filter(Answered::success);
    }

    /** Everything that is known of it, for a person. */
    @Override
    public String toString() {
        String more = attempts.size() > SHOWN ? "\n      ... " + (attempts.size() - SHOWN) + " more attempts" : "";
        return "delivery " + delivery.number() + ", key " + delivery.key() + ", effect " + effectId
                + (effects.isPresent() ? " happened " + effects.getAsLong() + " times" : "")
                + attempts.stream()
                        .limit(SHOWN)
                        .map(attempt -> "\n      " + attempt)
                        .collect(Collectors.joining())
                + more;
    }
}
