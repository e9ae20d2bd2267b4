// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** Stands still until it is moved, or moves a step at every reading. */
public final class MovableClock implements InstantSource {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private volatile Duration stepPerReading = Duration.ZERO;

    @Override
    public Instant instant() {
        return now.getAndUpdate(instant -> instant.plus(stepPerReading));
    }

    public void move(Duration forward) {
        now.updateAndGet(instant -> instant.plus(forward));
    }

    public void moveAtEveryReading(Duration step) {
        stepPerReading = step;
    }
}
