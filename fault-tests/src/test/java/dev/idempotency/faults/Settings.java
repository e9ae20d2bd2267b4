// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.app.Point;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** How long and how hard to try. */
final class Settings {

    /** How often each scenario is played; 1 is the short form. */
    static final int ROUNDS = Integer.getInteger("faults.rounds", 1);

    /** Where chance begins. */
    static final long SEED = Long.getLong("faults.seed", 1);

    /** How many calls are hit by a fault in one round where effect and record are one transaction in PostgreSQL. */
    static final int JOINED_CALLS = Integer.getInteger("faults.joined.calls", 2_500);

    /** Operations that one fault hits at once. */
    static final int BATCH = 20;

    /** Where calls are held up if the effect is no part of the store's transaction. */
    static final Set<Point> POINTS =
            EnumSet.complementOf(EnumSet.of(Point.AFTER_CLAIM, Point.BEFORE_COMMIT, Point.AFTER_COMMIT));

    static final Duration LEASE = Duration.ofSeconds(1);

    private Settings() {}
}
