// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.key.RecordKey;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats writes that the store did not take, until it does or they are of no use any more. Bounded in number. On a thread of
 * its own, as a write may have to wait for the store longer than leases can; the thread is there only while there are writes.
 */
final class LateWrites implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LateWrites.class);

    private static final long RETRY_MILLIS = 200;
    private static final long LAST_WRITES_MILLIS = 1_000;
    private static final int MAX_WRITES = 10_000;

    private final Queue<LateWrite> writes = new ArrayDeque<>();
    /** Those in the queue and the one in hand. */
    private int pending;

    private boolean closed;
    private @Nullable Thread thread;

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

    /** Repeats a write in the background, if there is room for it. */
    void add(LateWrite write) {
        if (!offer(write)) {
            write.giveUp();
        }
    }

    private synchronized boolean offer(LateWrite write) {
        if (closed || pending >= (write.isDispensable() ? MAX_WRITES / 2 : MAX_WRITES)) {
            return false;
        }
        writes.add(write);
        pending++;
        if (thread == null) {
            thread = new Thread(this::run, "idempotency-late-writes");
            thread.setDaemon(true);
            thread.start();
        }
        return true;
    }

    private void run() {
        while (awaitNextTry()) {
            writeAll();
        }
    }

    /** Waits until the next try is due; {@code false} if there is nothing more to write. */
    private synchronized boolean awaitNextTry() {
        if (pending == 0) {
            thread = null;
            return false;
        }
        if (closed) {
            return true;
        }
        try {
            TimeUnit.MILLISECONDS.timedWait(this, RETRY_MILLIS);
        } catch (InterruptedException e) {
            log.debug("Only close ends this thread.", e);
        }
        return true;
    }

    /** Tries each write once, until the store is silent. */
    private void writeAll() {
        for (int left = size(); left > 0; left--) {
            LateWrite next = take();
            if (next.leaseLeftNanos() <= 0) {
                next.giveUp();
            } else if (!write(next)) {
                putBack(next);
                return;
            }
            done();
        }
    }

    private synchronized int size() {
        return writes.size();
    }

    private synchronized LateWrite take() {
        return writes.remove();
    }

    private synchronized void done() {
        pending--;
    }

    /** Goes behind the others, so that it does not stand in their way; after the end all of them are given up. */
    private void putBack(LateWrite failed) {
        List<LateWrite> lost;
        synchronized (this) {
            writes.add(failed);
            if (!closed) {
                return;
            }
            lost = List.copyOf(writes);
            writes.clear();
            pending = 0;
        }
        lost.forEach(LateWrite::giveUp);
    }

    /** Whether there is nothing left to write. */
    private static boolean write(LateWrite late) {
        try {
            late.write();
            return true;
        } catch (Throwable e) { // all late writes depend on this thread
            log.debug("A late write for {} failed.", late.key(), e);
            return false;
        }
    }

    /**
     * Has each write tried once more, until the store is silent, and waits a second for that at most, as what they write with
     * may be closed next.
     */
    @Override
    public void close() {
        Thread current;
        synchronized (this) {
            closed = true;
            current = thread;
            notifyAll();
        }
        if (current == null) {
            return;
        }
        try {
            current.join(LAST_WRITES_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
