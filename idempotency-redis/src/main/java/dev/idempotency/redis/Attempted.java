// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Something that has to be opened before it can be used, and may take long: opened once, by one attempt at a time and
 * on a thread of its own, while those who need it wait no longer than they want to. May be used from any thread.
 */
final class Attempted<T> {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Callable<T> opening;
    private volatile @Nullable T opened;
    private @Nullable CompletableFuture<T> attempt;
    private long attemptedNanos;

    Attempted(Callable<T> opening) {
        this.opening = opening;
    }

    /**
     * The opened thing; opens it if nobody has. Drivers that start up take their time, so an attempt is given
     * {@link #PATIENCE} before those who come have to be content with their own time-out.
     *
     * @throws Exception what the attempt failed with, or that it takes too long
     */
    T get(long timeoutNanos) throws Exception {
        T already = opened;
        if (already != null) {
            return already;
        }
        CompletableFuture<T> running;
        long patienceNanos;
        synchronized (this) {
            running = attempt();
            patienceNanos = PATIENCE.toNanos() - (System.nanoTime() - attemptedNanos);
        }
        return running.get(Math.max(timeoutNanos, patienceNanos), TimeUnit.NANOSECONDS);
    }

    /** Hands over what is open, if it is, to one caller alone; the next one who needs it opens it anew. */
    synchronized @Nullable T take() {
        T taken = opened;
        if (taken != null) {
            opened = null;
            attempt = null;
        }
        return taken;
    }

    private CompletableFuture<T> attempt() {
        CompletableFuture<T> running = attempt;
        if (running == null || running.isCompletedExceptionally()) {
            running = new CompletableFuture<>();
            attempt = running;
            attemptedNanos = System.nanoTime();
            CompletableFuture<T> started = running;
            Thread thread = new Thread(() -> open(started), "idempotency-redis-connect");
            thread.setDaemon(true);
            thread.start();
        }
        return running;
    }

    private void open(CompletableFuture<T> started) {
        try {
            T result = opening.call();
            opened = result;
            started.complete(result);
        } catch (Exception | LinkageError e) {
            started.completeExceptionally(e);
        }
    }
}
