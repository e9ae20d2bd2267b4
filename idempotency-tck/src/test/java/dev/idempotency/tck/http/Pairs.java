// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets the first two that come with a name go on together; one that stays alone goes on after a moment. */
public final class Pairs {

    private static final long ALONE_MILLIS = 50;

    private final Map<String, CountDownLatch> pairs = new ConcurrentHashMap<>();

    public void meet(String name) throws InterruptedException {
        CountDownLatch pair = pairs.computeIfAbsent(name, any -> new CountDownLatch(2));
        pair.countDown();
        pair.await(ALONE_MILLIS, TimeUnit.MILLISECONDS);
    }
}
