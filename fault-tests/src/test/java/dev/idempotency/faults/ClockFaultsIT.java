// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.faults.history.Event.KeyFound;
import dev.idempotency.faults.history.Promise;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two applications whose clocks are ten minutes fast and ten minutes slow; the leases are a second. */
class ClockFaultsIT {

    private static final Duration OFF = Duration.ofMinutes(10);

    /** Letters are kept for longer than records. */
    private static final String DEAD_LETTERS = "{dead-letters}";

    private static final Promise REPORTED = Promise.reported(Settings.LEASE);

    private static RedisRig rig;
    private static String means;
    private static Instance fast;
    private static Instance slow;

    @BeforeAll
    static void start() {
        Path directory = Directories.create("clock");
        rig = RedisRig.open(directory);
        WrongClocks ahead = WrongClocks.ahead(directory, OFF);
        WrongClocks behind = WrongClocks.withAgent(directory, OFF.negated());
        means = "+10 min by " + ahead.means() + ", -10 min by " + behind.means();
        fast = rig.startNode(ahead.environment(), ahead.jvm()).instance();
        slow = rig.startNode(behind.environment(), behind.jvm()).instance();
        fast.awaitReady();
        slow.awaitReady();
    }

    @AfterAll
    static void stop() throws Exception {
        rig.close();
    }

    @Test
    void theClocksAreWrongIndeed() {
        assertThat(rig.driver().clockOf(fast.name())).isCloseTo(OFF, OFF.dividedBy(2));
        assertThat(rig.driver().clockOf(slow.name())).isCloseTo(OFF.negated(), OFF.dividedBy(2));
    }

    @Test
    void aNodeWithAFastClockTakesNothingOverEarly() {
        play("clocks " + means + ", slow owner paused", slow, fast);
    }

    @Test
    void aNodeWithASlowClockWaitsForNobodyLonger() {
        play("clocks " + means + ", fast owner paused", fast, slow);
    }

    private static void play(String fault, Instance owner, Instance other) {
        for (int round = 0; round < Settings.ROUNDS; round++) {
            Sweep sweep = new Sweep(rig.driver(), fault, REPORTED, "/effects", Settings.POINTS);
            sweep.hold(owner, Settings.BATCH);
            sweep.pause(owner);
            sweep.finish(other);
            sweep.resume(owner);
            sweep.releaseAll();
            sweep.finish(owner, other);
            sweep.tell(rig::scan);
            sweep.tell(history -> assertThat(history.entries())
                    .extracting(entry -> entry.event())
                    .filteredOn(event ->
                            event instanceof KeyFound found && !found.key().contains(DEAD_LETTERS))
                    .isNotEmpty()
                    .extracting(key -> Duration.ofMillis(((KeyFound) key).ttlMillis()))
                    .allMatch(left -> left.compareTo(Duration.ofHours(24).plusSeconds(2)) < 0));
            sweep.check();
        }
    }
}
