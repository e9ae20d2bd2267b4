// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs that the store gives no answer, once in a while instead of once per call. */
final class StoreOutage {

    private static final Logger log = LoggerFactory.getLogger(StoreOutage.class);
    private static final long QUIET_NANOS = 10_000_000_000L;

    private final AtomicLong unlogged = new AtomicLong();
    private final AtomicLong quietUntilNanos = new AtomicLong(System.nanoTime());

    /** A step got no answer. */
    void met(Exception cause) {
        unlogged.incrementAndGet();
        long now = System.nanoTime();
        long quietUntil = quietUntilNanos.get();
        if (now - quietUntil >= 0 && quietUntilNanos.compareAndSet(quietUntil, now + QUIET_NANOS)) {
            log.warn(
                    "The store gave no answer to {} of the latest steps; operations are refused, or run unprotected where"
                            + " store-failure is open, and ends are written later.",
                    unlogged.getAndSet(0),
                    cause);
        }
    }
}
