// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.metrics;

import dev.idempotency.jdbc.CleanupListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** Counts what the clean-up of expired records deletes, and its runs. */
public final class CleanupMeters implements CleanupListener {

    private final MeterRegistry meters;

    public CleanupMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void cleaned(long records, Duration duration) {
        meters.counter("idempotency.cleanup.records").increment((double) records);
        meters.timer("idempotency.cleanup.runs", "outcome", "done").record(duration);
    }

    @Override
    public void cleanupFailed(RuntimeException failure) {
        meters.timer("idempotency.cleanup.runs", "outcome", "failed").record(Duration.ZERO);
    }
}
