// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What the user's own count of effects said at one moment. */
sealed interface EffectCounts {

    /** How often each effect has happened. */
    record Each(Map<String, Long> counts) implements EffectCounts {

        long since(Each before, String id) {
            return counts.getOrDefault(id, 0L) - before.counts.getOrDefault(id, 0L);
        }
    }

    /** How often any effect has happened. */
    record Total(long count) implements EffectCounts {}

    /** Nobody counts. */
    record Unknown() implements EffectCounts {}

    /**
     * Reads until nothing changes any more, as handlers whose sender hung up may still be running.
     *
     * @param settle how long nothing may change
     * @param limit how long to wait for that at most
     */
    static EffectCounts settled(Supplier<EffectCounts> probe, Duration settle, Duration limit)
            throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        EffectCounts last = probe.get();
        while (!(last instanceof Unknown) && System.nanoTime() < end) {
            TimeUnit.NANOSECONDS.sleep(settle.toNanos());
            EffectCounts now = probe.get();
            if (now.equals(last)) {
                return now;
            }
            last = now;
        }
        return last;
    }
}
