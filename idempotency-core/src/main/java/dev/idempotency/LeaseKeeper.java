// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.key.RecordKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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

    private static final long LAST_WRITES_MILLIS = 1_000;
    private static final long RETRY_NANOS = 200_000_000;
    private static final long NOTHING_DUE_NANOS = Long.MAX_VALUE / 4;
    private static final int MAX_LATE_WRITES = 10_000;
    private static final int LATE_WRITES_PER_ROUND = 100;

    private final Ownership ownership;
    private final ConcurrentMap<RecordKey, Execution> running = new ConcurrentHashMap<>();
    private final Queue<LateWrite> lateWrites = new ConcurrentLinkedQueue<>();
    private final AtomicInteger lateWriteCount = new AtomicInteger();
    private volatile long nextWakeNanos;
    private volatile boolean closed;
    private volatile @Nullable Thread thread;

    LeaseKeeper(Ownership ownership) {
        this.ownership = ownership;
    }

    /** A write that the store has not confirmed; worth repeating while the claim holds. */
    interface LateWrite {

        RecordKey key();

        /** How long the claim still holds at the least, in nanoseconds; negative if it may be over. */
        long leaseLeftNanos();

        /** Whether little is lost without it. Such writes get half of the room, so that no other is lost for them. */
        boolean isDispensable();

        /** Writes; whatever it throws says that it is to be repeated. */
        void write();

        /** It was never written, and the claim may no longer hold. */
        void giveUp();
    }

    void keep(Execution execution) {
        Execution overtaken = running.put(execution.key(), execution);
        if (overtaken != null) {
            ownership.leaseLost(overtaken);
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
        int room = write.isDispensable() ? MAX_LATE_WRITES / 2 : MAX_LATE_WRITES;
        if (lateWriteCount.incrementAndGet() > room) {
            lateWriteCount.decrementAndGet();
            write.giveUp();
            return;
        }
        lateWrites.add(write);
        wakeIn(RETRY_NANOS);
        if (closed && lateWrites.remove(write)) {
            write.giveUp();
        }
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
            current.start();
            thread = current;
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
        writeLast();
    }

    /** Renews what is due; nanoseconds until the next is. */
    private long renewAll() {
        long now = System.nanoTime();
        long wait = NOTHING_DUE_NANOS;
        List<Execution> due = new ArrayList<>();
        for (Execution execution : running.values()) {
            if (execution.isInTransaction()) {
                continue;
            }
            long nanos = nanosToRenewal(execution);
            if (nanos <= 0) {
                due.add(execution);
            } else {
                wait = Math.min(wait, nanos);
            }
        }
        // One silent store time-out a round is enough, and what has failed before comes last: a part of the store
        // that is down, such as a shard of a cluster, must not cost the others their leases.
        due.sort(Comparator.comparing(Execution::isRenewalFailing)
                .thenComparingLong(execution -> execution.renewalTriedNanos() - now));
        for (Execution execution : due) {
            if (!renew(execution)) {
                return Math.min(wait, RETRY_NANOS);
            }
            wait = Math.min(wait, renewalNanos(execution));
        }
        return wait;
    }

    /** Whether the store gave an answer. */
    private boolean renew(Execution execution) {
        execution.renewalTried();
        try {
            if (!ownership.renew(execution) && running.remove(execution.key(), execution)) {
                ownership.leaseLost(execution);
            }
            return true;
        } catch (Throwable e) { // all leases depend on this thread
            if (!execution.isRenewalFailing()) {
                log.warn("The lease of {} could not be renewed; it is tried again until it can.", execution.key(), e);
            }
            execution.renewalFailed();
            return false;
        }
    }

    /** Repeats late writes, until the store is silent; nanoseconds until the next try. */
    private long writeAll() {
        for (int i = 0; i < LATE_WRITES_PER_ROUND; i++) {
            LateWrite next = lateWrites.poll();
            if (next == null) {
                return NOTHING_DUE_NANOS;
            }
            if (next.leaseLeftNanos() <= 0) {
                next.giveUp();
            } else if (!write(next)) {
                lateWrites.add(next);
                return RETRY_NANOS;
            }
            lateWriteCount.decrementAndGet();
        }
        return 0;
    }

    /** Tries each late write for the last time, until the store is silent. */
    private void writeLast() {
        boolean storeAnswers = true;
        for (LateWrite next = lateWrites.poll(); next != null; next = lateWrites.poll()) {
            storeAnswers = storeAnswers && write(next);
            if (!storeAnswers) {
                next.giveUp();
            }
        }
    }

    /** Whether there is nothing left to write. */
    private static boolean write(LateWrite late) {
        try {
            late.write();
            return true;
        } catch (Throwable e) { // all leases depend on this thread
            log.debug("A late write for {} failed.", late.key(), e);
            return false;
        }
    }

    private static long nanosToRenewal(Execution execution) {
        return execution.isRenewalFailing()
                ? RETRY_NANOS - (System.nanoTime() - execution.renewalTriedNanos())
                : execution.leaseLeftNanos() - 2 * renewalNanos(execution);
    }

    private static long renewalNanos(Execution execution) {
        return execution.request().policy().lease().toNanos() / 3;
    }

    /**
     * Stops the thread, which tries once more what is still to be written, and gives it a second for that, as what it
     * writes with may be closed next. Claims still held end with their lease.
     */
    @Override
    public void close() {
        closed = true;
        Thread current = thread;
        if (current == null) {
            return;
        }
        LockSupport.unpark(current);
        try {
            current.join(LAST_WRITES_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
