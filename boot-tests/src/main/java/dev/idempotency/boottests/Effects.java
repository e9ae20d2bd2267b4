// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What handlers have done, by name: counted over all applications of this process, and written to a file that other
 * processes share if the system property {@code effects.file} names one.
 */
public final class Effects {

    /** For work behind a request; the common pool may have a single thread, which a closed gate would block. */
    static final Executor BACKGROUND = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "background");
        thread.setDaemon(true);
        return thread;
    });

    private static final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private static final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();

    private Effects() {}

    /** Does it once more; how often it has been done. */
    static int happen(String name) {
        String file = System.getProperty("effects.file");
        if (file != null) {
            try {
                Files.writeString(Path.of(file), name + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return counter(name).incrementAndGet();
    }

    /** How often it has been done in this process. */
    public static int count(String name) {
        return counter(name).get();
    }

    private static AtomicInteger counter(String name) {
        return counts.computeIfAbsent(name, key -> new AtomicInteger());
    }

    /** Waits until a test opens the gate, at most half a minute. */
    static void passGate(String name) throws InterruptedException {
        if (!gate(name).await(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("nobody opened the gate " + name);
        }
    }

    /** Lets everything through that waits, or will wait, at the gate. */
    public static void openGate(String name) {
        gate(name).countDown();
    }

    private static CountDownLatch gate(String name) {
        return gates.computeIfAbsent(name, key -> new CountDownLatch(1));
    }
}
