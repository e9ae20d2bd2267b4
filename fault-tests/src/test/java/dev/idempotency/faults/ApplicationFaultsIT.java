// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.faults.app.Point;
import dev.idempotency.faults.history.Promise;
import dev.idempotency.faults.history.Verdict;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Applications that are killed or paused at each step of a call, with records in a Redis that forgets nothing. */
class ApplicationFaultsIT {

    private static final Promise REPORTED = Promise.reported(Settings.LEASE);

    /** Where the effect is there and its record is not. */
    private static final Set<Point> DOUBTFUL = EnumSet.of(Point.AFTER_EFFECT, Point.BEFORE_COMPLETION);

    private RedisRig rig;

    @BeforeEach
    void start() {
        rig = RedisRig.shared();
    }

    private Map<Point, Verdict> check(Sweep sweep) {
        sweep.tell(rig::scan);
        return sweep.check();
    }

    @Test
    void aKilledOwnerLeavesAnOrphanThatIsReportedWhenItIsTakenOver() {
        for (int round = 0; round < Settings.ROUNDS; round++) {
            Sweep sweep = new Sweep(rig.driver(), "kill -9 of the application", REPORTED, "/effects", Settings.POINTS);
            sweep.hold(rig.victim().instance(), Settings.BATCH);
            sweep.kill(rig.victim().instance());
            sweep.finish(rig.other().instance());
            check(sweep).forEach((point, verdict) -> mustReport(verdict, DOUBTFUL.contains(point)));
            rig.replaceVictim();
            rig.other().instance().awaitReady();
        }
    }

    @Test
    void aKilledOwnersOrphanIsLeftToAPersonIfSoConfigured() {
        for (int round = 0; round < Settings.ROUNDS; round++) {
            Sweep sweep = new Sweep(
                    rig.driver(),
                    "kill -9 of the application (on-orphan: uncertain)",
                    Promise.uncertain(Settings.LEASE),
                    "/uncertain-effects",
                    Settings.POINTS);
            sweep.hold(rig.victim().instance(), Settings.BATCH);
            sweep.kill(rig.victim().instance());
            sweep.finish(rig.other().instance());
            check(sweep)
                    .forEach(
                            (point, verdict) -> assertThat(verdict.duplicates()).isZero());
            rig.replaceVictim();
            rig.other().instance().awaitReady();
        }
    }

    @Test
    void anOwnerThatWasPausedBeyondItsLeaseIsToldSo() {
        for (int round = 0; round < Settings.ROUNDS; round++) {
            Sweep sweep = new Sweep(rig.driver(), "SIGSTOP beyond the lease", REPORTED, "/effects", Settings.POINTS);
            sweep.hold(rig.victim().instance(), Settings.BATCH);
            sweep.pause(rig.victim().instance());
            sweep.finish(rig.other().instance());
            sweep.resume(rig.victim().instance());
            sweep.releaseAll();
            sweep.finish(rig.victim().instance(), rig.other().instance());
            check(sweep)
                    .forEach((point, verdict) ->
                            mustReport(verdict, point == Point.BEFORE_EFFECT || DOUBTFUL.contains(point)));
        }
    }

    private static void mustReport(Verdict verdict, boolean ranTwice) {
        assertThat(verdict.detected()).isEqualTo(ranTwice ? Map.of("orphan", Settings.BATCH) : Map.of());
    }
}
