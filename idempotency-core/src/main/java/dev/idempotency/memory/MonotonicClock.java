// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Wall-clock time read once, then moved by the monotonic clock: a corrected system clock changes no lease. */
final class MonotonicClock implements InstantSource {

    private final Instant start = Instant.now();
    private final long startNanos = System.nanoTime();

    @Override
    public Instant instant() {
        return start.plus(Duration.ofNanos(System.nanoTime() - startNanos));
    }
}
