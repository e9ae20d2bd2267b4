// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.RenewalResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of running executions after a third of their time, those that are due together by one step. On a thread of
 * its own, which starts with the first execution and sleeps while nothing is due.
 */
final class LeaseKeeper implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);
    private static final AtomicInteger threads = new AtomicInteger();

    private static final long LAST_RENEWAL_MILLIS = 1_000;
    private static final long RETRY_NANOS = 200_000_000;
    private static final long NOTHING_DUE_NANOS = Long.MAX_VALUE / 4;

    private final Ownership ownership;
    private final ConcurrentMap<RecordKey, Execution> running = new ConcurrentHashMap<>();
    private volatile long nextWakeNanos;
    private volatile boolean closed;
    private volatile @Nullable Thread thread;

    LeaseKeeper(Ownership ownership) {
        this.ownership = ownership;
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
            long wait = renewAll();
            nextWakeNanos = System.nanoTime() + wait;
            LockSupport.parkNanos(this, wait);
        }
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
        int sound = (int)
                due.stream().filter(execution -> !execution.isRenewalFailing()).count();
        for (int from = 0, to; from < due.size(); from = to) {
            to = from < sound ? Math.min(sound, from + IdempotencyStore.MAX_RENEWALS) : endOfCareful(due, sound, from);
            List<Execution> batch = due.subList(from, to);
            if (!renew(batch)) {
                return Math.min(wait, RETRY_NANOS);
            }
            for (Execution execution : batch) {
                wait = Math.min(wait, renewalNanos(execution));
            }
        }
        return wait;
    }

    /** Of those that failed together one may be the cause: they go in batches of one, two, four and so on while all is well. */
    private static int endOfCareful(List<Execution> due, int sound, int from) {
        return Math.min(due.size(), from + Math.min(from - sound + 1, IdempotencyStore.MAX_RENEWALS));
    }

    /** Whether the store gave an answer to each. */
    private boolean renew(List<Execution> batch) {
        batch.forEach(Execution::renewalTried);
        try {
            List<RenewalResult> results = ownership.renew(batch);
            List<Execution> unanswered = new ArrayList<>();
            for (int i = 0; i < batch.size(); i++) {
                Execution execution = batch.get(i);
                switch (results.get(i)) {
                    case RENEWED -> {}
                    case LOST -> lost(execution);
                    case UNANSWERED -> unanswered.add(execution);
                }
            }
            failed(unanswered, null);
            return unanswered.isEmpty();
        } catch (Throwable e) { // all leases depend on this thread
            failed(batch, e);
            return false;
        }
    }

    private void lost(Execution execution) {
        if (running.remove(execution.key(), execution)) {
            ownership.leaseLost(execution);
        }
    }

    private static void failed(List<Execution> batch, @Nullable Throwable cause) {
        List<Execution> fresh = batch.stream()
                .filter(execution -> !execution.isRenewalFailing() && execution.isRunning())
                .toList();
        if (!fresh.isEmpty()) {
            log.warn(
                    "The leases of {} operations could not be renewed, such as that of {}; it is tried again until they can.",
                    fresh.size(),
                    fresh.get(0).key(),
                    cause);
        }
        batch.forEach(Execution::renewalFailed);
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
     * Stops the thread, and gives it a second for what it is at, as what it renews with may be closed next. Claims still held
     * end with their lease.
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
            current.join(LAST_RENEWAL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
