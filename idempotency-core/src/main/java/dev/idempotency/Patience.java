// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.policy.OnDuplicate;
import dev.idempotency.store.EndSignals;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long one repeat waits for the running call. While that runs in this process, its end wakes the repeat; while it runs
 * elsewhere, the store's signal does. As a signal may be lost, the store is asked again in growing steps all the same. A
 * waiter holds no connection and no lock.
 */
final class Patience implements AutoCloseable {

    private static final long FIRST_STEP_NANOS = 20_000_000;
    private static final long LONGEST_STEP_NANOS = 500_000_000;

    /** How many times longer the steps are where the store tells of the end. */
    private static final int TRUST_IN_SIGNALS = 5;

    private final IdempotentRequest request;
    private final LeaseKeeper leases;
    private final Semaphore places;
    private final @Nullable EndSignals signals;
    private final long startNanos = System.nanoTime();
    private final Semaphore signalled = new Semaphore(0);
    private long stepNanos = FIRST_STEP_NANOS;
    private EndSignals.@Nullable Subscription subscription;
    private boolean placed;

    /**
     * @param places how many calls may wait at the same time, as each holds a thread of the application's
     */
    Patience(IdempotentRequest request, LeaseKeeper leases, @Nullable EndSignals signals, Semaphore places) {
        this.request = request;
        this.leases = leases;
        this.places = places;
        this.signals = signals;
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
        placed = placed || places.tryAcquire();
        if (!placed) {
            return false;
        }
        try {
            Execution here = leases.running(request.key());
            if (here != null) {
                here.awaitEnd(Duration.ofNanos(left));
            } else if (signals != null && subscription == null) {
                // The end may have come before the subscription: the store is asked once more at once.
                subscription = signals.subscribe(request.key(), signalled::release);
            } else if (signalled.tryAcquire(Math.min(left, nextStep()), TimeUnit.NANOSECONDS)) {
                signalled.drainPermits();
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private long nextStep() {
        long jittered = stepNanos / 2 + ThreadLocalRandom.current().nextLong(stepNanos);
        stepNanos = Math.min(2 * stepNanos, LONGEST_STEP_NANOS);
        return subscription == null ? jittered : TRUST_IN_SIGNALS * jittered;
    }

    @Override
    public void close() {
        if (placed) {
            places.release();
        }
        if (subscription != null) {
            subscription.close();
        }
    }
}
