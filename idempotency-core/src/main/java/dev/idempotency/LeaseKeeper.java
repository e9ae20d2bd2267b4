// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.StoreUnavailableException;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one background thread of a coordinator: renews the leases of running executions after a third of their time, and
 * repeats writes that the store did not take. It starts with the first execution and sleeps while nothing is due.
 */
final class LeaseKeeper implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);
    private static final AtomicInteger threads = new AtomicInteger();

    private static final long RETRY_NANOS = 200_000_000;
    private static final long NOTHING_DUE_NANOS = Long.MAX_VALUE / 4;
    private static final int MAX_LATE_WRITES = 10_000;

    private final IdempotencyCoordinator coordinator;
    private final ConcurrentMap<RecordKey, Execution> running = new ConcurrentHashMap<>();
    private final Queue<LateWrite> lateWrites = new ConcurrentLinkedQueue<>();
    private final AtomicInteger lateWriteCount = new AtomicInteger();
    private volatile long nextWakeNanos;
    private volatile boolean closed;
    private volatile @Nullable Thread thread;

    LeaseKeeper(IdempotencyCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    /** A write that the store has not confirmed; worth repeating while the claim holds. */
    interface LateWrite {

        Execution execution();

        /** Writes; {@link StoreUnavailableException} says that it is to be repeated. */
        void write();

        /** The claim no longer holds. */
        void giveUp();
    }

    void keep(Execution execution) {
        Execution overtaken = running.put(execution.key(), execution);
        if (overtaken != null) {
            coordinator.leaseLost(overtaken);
        }
        wakeIn(renewalNanos(execution));
    }

    void forget(Execution execution) {
        running.remove(execution.key(), execution);
    }

    /** The execution of this process that runs the operation, if one does. */
    @Nullable
    Execution running(RecordKey key) {
        return running.get(key);
    }

    /** Repeats a write in the background, if there is room for it. */
    void writeLater(LateWrite write) {
        if (closed || lateWriteCount.incrementAndGet() > MAX_LATE_WRITES) {
            lateWriteCount.decrementAndGet();
            write.giveUp();
            return;
        }
        lateWrites.add(write);
        wakeIn(RETRY_NANOS);
    }

    private void wakeIn(long nanos) {
        Thread current = thread;
        if (current == null) {
            current = start();
        }
        if (System.nanoTime() + nanos - nextWakeNanos < 0) {
            LockSupport.unpark(current);
        }
    }

    private synchronized Thread start() {
        Thread current = thread;
        if (current == null) {
            nextWakeNanos = System.nanoTime();
            current = new Thread(this::run, "idempotency-leases-" + threads.incrementAndGet());
            current.setDaemon(true);
            thread = current;
            current.start();
        }
        return current;
    }

    private void run() {
        while (!closed) {
            // Announced before looking: whatever is added from here on finds it late enough to wake this thread.
            nextWakeNanos = System.nanoTime() + NOTHING_DUE_NANOS;
            long wait = Math.min(renewAll(), writeAll());
            nextWakeNanos = System.nanoTime() + wait;
            LockSupport.parkNanos(this, wait);
        }
    }

    /** Renews what is due; nanoseconds until the next is. */
    private long renewAll() {
        long wait = NOTHING_DUE_NANOS;
        boolean storeAnswers = true;
        for (Execution execution : running.values()) {
            long due = nanosToRenewal(execution);
            if (due <= 0) {
                // One silent store time-out a round is enough; the others are tried in the next.
                storeAnswers = storeAnswers && renew(execution);
                due = storeAnswers ? renewalNanos(execution) : RETRY_NANOS;
            }
            wait = Math.min(wait, due);
        }
        return wait;
    }

    /** Whether the store gave an answer. */
    private boolean renew(Execution execution) {
        try {
            if (!coordinator.renew(execution) && running.remove(execution.key(), execution)) {
                coordinator.leaseLost(execution);
            }
            return true;
        } catch (StoreUnavailableException e) {
            log.warn("The lease of {} could not be renewed; tried again shortly.", execution.key(), e);
            return false;
        } catch (RuntimeException e) {
            log.error("The lease of {} cannot be renewed.", execution.key(), e);
            forget(execution);
            return true;
        }
    }

    /** Repeats each late write once, until the store is silent; nanoseconds until the next try. */
    private long writeAll() {
        for (int left = lateWriteCount.get(); left > 0; left--) {
            LateWrite next = lateWrites.poll();
            if (next == null) {
                break;
            }
            lateWriteCount.decrementAndGet();
            if (next.execution().leaseLeftNanos() <= 0) {
                next.giveUp();
            } else if (!write(next)) {
                lateWriteCount.incrementAndGet();
                lateWrites.add(next);
                break;
            }
        }
        return lateWrites.isEmpty() ? NOTHING_DUE_NANOS : RETRY_NANOS;
    }

    /** Whether there is nothing left to write. */
    private static boolean write(LateWrite late) {
        try {
            late.write();
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        } catch (RuntimeException e) {
            log.error("A late write for {} failed.", late.execution().key(), e);
            return true;
        }
    }

    private static long nanosToRenewal(Execution execution) {
        return execution.leaseLeftNanos() - 2 * renewalNanos(execution);
    }

    private static long renewalNanos(Execution execution) {
        return execution.request().policy().lease().toNanos() / 3;
    }

    /** Stops the thread; claims still held end with their lease. */
    @Override
    public void close() {
        closed = true;
        Thread current = thread;
        if (current != null) {
            LockSupport.unpark(current);
        }
    }
}
