// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Lets one line a minute through for each of a small set of things to say. May be used from any thread. */
final class LogLimit {

    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Map<String, Long> last = new ConcurrentHashMap<>();

    boolean permits(String thing) {
        long now = System.nanoTime();
        boolean[] permitted = new boolean[1];
        last.compute(thing, (key, before) -> {
            permitted[0] = before == null || now - before >= INTERVAL_NANOS;
            return permitted[0] ? (Long) now : before;
        });
        return permitted[0];
    }
}
