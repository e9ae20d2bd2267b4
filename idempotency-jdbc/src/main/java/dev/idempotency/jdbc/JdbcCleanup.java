// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes records that have expired, in batches, from time to time. Every instance of the application may run one: they skip each
 * other's rows, and start at random times. Records that still answer, or were renewed in between, are never touched; an expired
 * record is kept for {@link #GRACE} more.
 *
 * <p>{@link #start} and {@link #close} may be called from any thread.
 */
public final class JdbcCleanup implements AutoCloseable {

    /**
     * How long an expired record is kept: longer than any statement may take, so that the version of the next record of its key
     * is greater, however slow the claim.
     */
    public static final Duration GRACE = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(JdbcCleanup.class);

    private final OwnConnections connections;
    private final String table;
    private final Duration queryTimeout;
    private final Duration interval;
    private final int batchSize;
    private final List<CleanupListener> listeners;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private @Nullable Thread thread;
    private volatile boolean closed;

    /**
     * A clean-up, not started.
     *
     * @param dataSource as the store's
     * @param tablePrefix as the store's
     * @param queryTimeout how long deleting a batch may take, 1 to 30 seconds
     * @param interval mean time between two runs, positive; each pause is between half of it and one and a half
     * @param batchSize most records that one statement deletes, 1 to 10,000
     */
    public JdbcCleanup(
            DataSource dataSource,
            String tablePrefix,
            Duration queryTimeout,
            Duration interval,
            int batchSize,
            List<CleanupListener> listeners) {
        if (interval.isZero() || interval.isNegative()) {
            throw new IllegalArgumentException("the clean-up's interval must be positive, but is " + interval);
        }
        if (batchSize < 1 || batchSize > 10_000) {
            throw new IllegalArgumentException(
                    "the clean-up's batch size must be from 1 to 10000, but is " + batchSize);
        }
        this.queryTimeout = JdbcIdempotencyStore.requireQueryTimeout(queryTimeout);
        this.connections = new OwnConnections(dataSource, queryTimeout);
        this.table = JdbcSchema.requireTablePrefix(tablePrefix) + JdbcSchema.RECORD;
        this.interval = interval;
        this.batchSize = batchSize;
        this.listeners = List.copyOf(listeners);
    }

    /** Starts the thread that runs from time to time; the first run comes within one interval. */
    public void start() {
        lock.lock();
        try {
            if (thread == null && !closed) {
                thread = new Thread(this::runUntilClosed, "idempotency-cleanup");
                thread.setDaemon(true);
                thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread after the batch that it is at. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            closing.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Deletes all that has expired, now.
     *
     * @return how many records
     * @throws StoreUnavailableException if the database gave no answer; what was deleted before stays deleted
     */
    public long run() {
        long total = 0;
        int deleted;
        do {
            deleted = connections.run(connection -> Dialect.of(Database.of(connection.getMetaData()))
                    .expiredRecords(table, batchSize, queryTimeout)
                    .delete(connection));
            total += deleted;
        } while (deleted == batchSize && !closed);
        return total;
    }

    private void runUntilClosed() {
        long nanos = interval.toNanos();
        for (long pause = random(0, nanos); !closesWithin(pause); pause = random(nanos / 2, nanos + nanos / 2)) {
            runAndTell();
        }
    }

    private void runAndTell() {
        long start = System.nanoTime();
        try {
            long records = run();
            Duration duration = Duration.ofNanos(System.nanoTime() - start);
            tell(listener -> listener.cleaned(records, duration));
        } catch (RuntimeException e) {
            log.warn("Expired idempotency records could not be deleted; the clean-up tries again later.", e);
            tell(listener -> listener.cleanupFailed(e));
        }
    }

    private void tell(Consumer<CleanupListener> event) {
        for (CleanupListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                log.warn("A listener to the clean-up of idempotency records failed.", e);
            }
        }
    }

    private boolean closesWithin(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (!closed && left > 0) {
                left = closing.awaitNanos(left);
            }
            return closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static long random(long from, long to) {
        return ThreadLocalRandom.current().nextLong(from, to + 1);
    }
}
