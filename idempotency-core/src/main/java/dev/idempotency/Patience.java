// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.policy.OnDuplicate;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * How long one repeat waits for the running call. While that runs in this process its end wakes the repeat; while it runs
 * elsewhere the store is asked again in growing steps, so a waiter holds no connection and no lock.
 */
final class Patience {

    private static final long FIRST_STEP_NANOS = 20_000_000;
    private static final long LONGEST_STEP_NANOS = 500_000_000;

    private final IdempotentRequest request;
    private final LeaseKeeper leases;
    private final long startNanos = System.nanoTime();
    private long stepNanos = FIRST_STEP_NANOS;

    Patience(IdempotentRequest request, LeaseKeeper leases) {
        this.request = request;
        this.leases = leases;
    }

    /** Waits until it is worth asking the store again; {@code false} when there is no patience left. */
    boolean waitForEnd() {
        if (request.policy().onDuplicate() != OnDuplicate.WAIT) {
            return false;
        }
        long left = request.policy().waitTimeout().toNanos() - (System.nanoTime() - startNanos);
        if (left <= 0) {
            return false;
        }
        Execution here = leases.running(request.key());
        if (here != null) {
            return waitFor(here, left);
        }
        long jittered = stepNanos / 2 + ThreadLocalRandom.current().nextLong(stepNanos);
        stepNanos = Math.min(2 * stepNanos, LONGEST_STEP_NANOS);
        LockSupport.parkNanos(this, Math.min(left, jittered));
        return !Thread.currentThread().isInterrupted();
    }

    /** Woken by its end, or by the end of patience, which the next call tells. */
    private static boolean waitFor(Execution here, long nanos) {
        try {
            here.awaitEnd(Duration.ofNanos(nanos));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
