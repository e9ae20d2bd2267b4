// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Says whether the steps between the ticks were so quick that whatever was to hold for some ticks more did hold, by this
 * machine's clock.
 */
final class TimedRounds {

    private final long tickNanos;
    private final List<Long> starts = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();

    TimedRounds(Duration tick) {
        this.tickNanos = tick.toNanos();
    }

    void time(Runnable round) {
        starts.add(System.nanoTime());
        try {
            round.run();
        } finally {
            ends.add(System.nanoTime());
        }
    }

    boolean wereInTime() {
        for (int last = 0; last < ends.size(); last++) {
            for (int ticks = 1; ticks <= ModelTrace.LONGEST && ticks <= last + 1; ticks++) {
                if (ends.get(last) - starts.get(last + 1 - ticks) >= tickNanos * ticks - tickNanos / 8) {
                    return false;
                }
            }
        }
        return true;
    }

    /** One that these rounds would have been in time for, by far. */
    Duration longerTick() {
        long longest = 0;
        for (int i = 0; i < ends.size(); i++) {
            longest = Math.max(longest, ends.get(i) - starts.get(i));
        }
        return Duration.ofNanos(Math.max(tickNanos * 3 / 2, 4 * longest));
    }
}
