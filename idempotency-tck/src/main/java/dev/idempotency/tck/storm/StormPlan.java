// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import dev.idempotency.tck.http.RawRequest;
import dev.idempotency.tck.http.Target;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Everything about a storm that is settled before it begins. What is left to chance depends on the seed, the delivery, the
 * copy and the attempt alone, and not on the order in which threads get their turn.
 *
 * @param copies how often each delivery is sent at least
 * @param request makes an attempt's request
 * @param waits between attempts, as the storm keeps them
 * @param rate first attempts per second; 0 for as many as there can be
 */
record StormPlan(
        String name,
        Target target,
        String method,
        String path,
        int deliveries,
        int copies,
        String keyTemplate,
        Function<Delivery, String> effectId,
        BiFunction<Delivery, String, RawRequest> request,
        Function<Delivery, String> body,
        List<Duration> waits,
        boolean honourRetryAfter,
        boolean reorder,
        double dropReplies,
        double rate,
        int concurrency,
        Duration patience,
        Duration limit,
        long seed,
        String markHeader) {

    /** How far from its place a sending may be moved, in sendings for each one under way. */
    private static final int DISORDER = 4;

    Delivery delivery(int number) {
        Delivery keyless = new Delivery(name, number, "");
        return new Delivery(name, number, keyless.fill(keyTemplate));
    }

    /** The place of a sending in the queue, with others close to it if the order is left to chance. */
    double place(int delivery, int copy) {
        double place = (double) delivery * copies + copy;
        return reorder ? place + chance(delivery, copy, -1).nextDouble() * DISORDER * concurrency : place;
    }

    /** How an attempt's reply is dropped, if it is. The last attempt's never is. */
    Drop drop(int delivery, int copy, int attempt) {
        SplittableRandom chance = chance(delivery, copy, attempt);
        if (attempt >= waits.size() || chance.nextDouble() >= dropReplies) {
            return Drop.NOT;
        }
        return chance.nextBoolean() ? Drop.BEFORE_REPLY : Drop.IN_REPLY;
    }

    private SplittableRandom chance(int delivery, int copy, int attempt) {
        long draw = ((long) delivery * copies + copy) * (waits.size() + 2L) + attempt + 1;
        return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + draw);
    }

    /** What a sender does to a reply. */
    enum Drop {
        NOT,
        BEFORE_REPLY,
        IN_REPLY
    }
}
