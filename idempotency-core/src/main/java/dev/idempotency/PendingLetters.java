// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.event.Operation;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Letters that the queue did not take, or that must not wait for it, tried at once and then every second until it does.
 * Bounded in number and bytes: what does not fit is lost, and whoever asked is told. The thread starts with the first
 * letter.
 */
final class PendingLetters implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PendingLetters.class);

    static final int MAX_LETTERS = 1_000;
    private static final long MAX_BYTES = 8 << 20;
    private static final long RETRY_MILLIS = 1_000;

    private final Consumer<Letter> keep;
    private final BiConsumer<Letter, @Nullable Throwable> lost;
    private final Queue<Letter> letters = new ArrayDeque<>();

    /** Held by whoever gives letters to the queue, so that none is given twice. */
    private final Object keeping = new Object();

    private long bytes;
    private boolean closed;
    private @Nullable Thread thread;

    /** A request to be parked, and the call that it came with. */
    record Letter(ParkedRequest request, Operation operation) {}

    /**
     * @param keep gives a letter to the queue; whatever it throws says that it is to be tried again
     * @param lost told of each letter that is given up
     */
    PendingLetters(Consumer<Letter> keep, BiConsumer<Letter, @Nullable Throwable> lost) {
        this.keep = keep;
        this.lost = lost;
    }

    void add(Letter letter) {
        if (!offer(letter)) {
            lost.accept(letter, null);
        }
    }

    private synchronized boolean offer(Letter letter) {
        int size = letter.request().content().size();
        if (closed || letters.size() >= MAX_LETTERS || bytes + size > MAX_BYTES) {
            return false;
        }
        letters.add(letter);
        bytes += size;
        if (thread == null) {
            thread = new Thread(this::run, "idempotency-dead-letters");
            thread.setDaemon(true);
            thread.start();
        }
        notifyAll();
        return true;
    }

    private void run() {
        boolean emptied;
        do {
            emptied = keepAll();
        } while (awaitNextTry(emptied));
    }

    /** Sleeps until it is worth trying again; {@code false} when it is closed. */
    private synchronized boolean awaitNextTry(boolean emptied) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
        try {
            while (!closed && emptied && letters.isEmpty()) {
                wait();
            }
            for (long left = RETRY_MILLIS; !closed && !emptied && left > 0; ) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            }
            return !closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether the queue has taken everything; ends with the first letter that it does not take. */
    private boolean keepAll() {
        synchronized (keeping) {
            for (Letter next = peek(); next != null; next = peek()) {
                try {
                    keep.accept(next);
                } catch (IllegalArgumentException e) { // it will never take this one
                    lost.accept(next, e);
                } catch (Throwable e) {
                    log.debug(
                            "Dead letter {} cannot be parked yet.",
                            next.request().id(),
                            e);
                    return false;
                }
                remove(next);
            }
            return true;
        }
    }

    private synchronized @Nullable Letter peek() {
        return letters.peek();
    }

    private synchronized void remove(Letter kept) {
        if (letters.remove(kept)) {
            bytes -= kept.request().content().size();
        }
    }

    /** Tries each letter for the last time, until the queue refuses one; the rest is lost. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        if (!keepAll()) {
            for (Letter next = peek(); next != null; next = peek()) {
                lost.accept(next, null);
                remove(next);
            }
        }
    }
}
