// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import dev.idempotency.event.AttemptEnd;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.event.Operation;
import dev.idempotency.faults.history.Report;
import dev.idempotency.store.PreviousAttempt;
import java.time.Duration;

/** Passes on to the driver what the library reports. */
final class Reporter implements IdempotencyListener {

    private final DriverLine driver;
    private final StoreSteps steps;

    Reporter(DriverLine driver, StoreSteps steps) {
        this.driver = driver;
        this.steps = steps;
    }

    @Override
    public void claimed(Operation operation, int attempts, PreviousAttempt previous) {
        if (previous == PreviousAttempt.ORPHANED) {
            report(operation, Report.ORPHAN, attempts);
        }
    }

    @Override
    public void ranUnprotected(Operation operation) {
        report(operation, Report.RAN_UNPROTECTED, 0);
    }

    @Override
    public void staleCompletion(Operation operation, AttemptEnd end, Duration duration) {
        report(operation, Report.STALE_COMPLETION, 0);
    }

    @Override
    public void completionDelayed(Operation operation, AttemptEnd end) {
        report(operation, Report.COMPLETION_DELAYED, 0);
    }

    @Override
    public void completionLost(Operation operation, AttemptEnd end) {
        report(operation, Report.COMPLETION_LOST, 0);
    }

    @Override
    public void leaseLost(Operation operation) {
        report(operation, Report.LEASE_LOST, 0);
    }

    private void report(Operation operation, Report report, int attempt) {
        driver.say("reported", steps.operation(operation.key()), report, attempt);
    }
}
