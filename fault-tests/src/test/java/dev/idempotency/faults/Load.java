// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.awaitility.Awaitility.await;

import dev.idempotency.faults.history.Event.Called;
import java.util.concurrent.TimeUnit;

/** First calls of ever new operations, from a thread of its own, until it is closed. */
final class Load implements AutoCloseable {

    /** What is waited for before and after whatever happens under load. */
    private static final int SOME = 40;

    private static final int MOST = 3_000;
    private static final long GAP_MILLIS = 5;

    private final Trial trial;
    private final Thread thread;
    private volatile boolean closed;

    Load(Trial trial, Instance... to) {
        this.trial = trial;
        this.thread = new Thread(() -> run(to), "load");
        thread.start();
    }

    private void run(Instance... to) {
        for (int i = 0; i < MOST && !closed; i++) {
            trial.send(to[i % to.length], 1, null);
            try {
                TimeUnit.MILLISECONDS.sleep(GAP_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Waits until some more calls have been sent. */
    void awaitSome() {
        long before = sent();
        await().atMost(Trial.LIMIT).until(() -> !thread.isAlive() || sent() >= before + SOME);
    }

    private long sent() {
        return trial.history().entries().stream()
                .filter(entry -> entry.event() instanceof Called)
                .count();
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
