// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

/** Threads that end with the test process. */
final class Threads {

    private Threads() {}

    static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
