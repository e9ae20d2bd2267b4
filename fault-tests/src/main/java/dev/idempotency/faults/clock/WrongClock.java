// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.clock;

import java.time.Instant;

/** What classes see for a clock after {@link WrongClockAgent} has changed them. */
public final class WrongClock {

    private static volatile long offMillis;

    private WrongClock() {}

    static void putOff(long millis) {
        offMillis = millis;
    }

    /** Stands in for {@link System#currentTimeMillis}. */
    public static long currentTimeMillis() {
        return System.currentTimeMillis() + offMillis;
    }

    /** Stands in for {@link Instant#now()}. */
    public static Instant now() {
        return Instant.now().plusMillis(offMillis);
    }
}
