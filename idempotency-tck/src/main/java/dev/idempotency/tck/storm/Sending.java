// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import java.util.Comparator;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/**
 * An attempt that is to be made.
 *
 * @param copy from 0
 * @param attempt from 0
 * @param due by {@link System#nanoTime()}
 * @param place among those that are due at the same time
 */
record Sending(int delivery, int copy, int attempt, long due, double place) implements Delayed {

    private static final Comparator<Sending> ORDER =
            Comparator.<Sending>comparingLong(sending -> sending.due).thenComparingDouble(sending -> sending.place);

    Sending again(long due) {
        return new Sending(delivery, copy, attempt + 1, due, place);
    }

    @Override
    public long getDelay(TimeUnit unit) {
        return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
        return ORDER.compare(this, (Sending) other);
    }
}
