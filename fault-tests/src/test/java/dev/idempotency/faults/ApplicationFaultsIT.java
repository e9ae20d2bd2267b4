// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.faults.app.Point;
import dev.idempotency.faults.history.Promise;
import dev.idempotency.faults.history.Verdict;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications that are killed or paused at each step of a call, with records in a Redis that forgets nothing. */
class ApplicationFaultsIT {

    private static final Set<Point> POINTS = EnumSet.complementOf(EnumSet.of(Point.BEFORE_COMMIT, Point.AFTER_COMMIT));

    /** Where the effect is there and its record is not. */
    private static final Set<Point> DOUBTFUL = EnumSet.of(Point.AFTER_EFFECT, Point.BEFORE_COMPLETION);

    @TempDir
    private static Path directory;

    private static RedisRig rig;
    private static RedisRig.Node victim;
    private static RedisRig.Node other;

    @BeforeAll
    static void start() {
        rig = RedisRig.durable(directory);
        victim = rig.startNode();
        other = rig.startNode();
        victim.instance().awaitReady();
        other.instance().awaitReady();
    }

    @AfterAll
    static void stop() throws Exception {
        rig.close();
    }

    private static Trial trial(String name) {
        return new Trial(rig.driver(), name, Promise.reported(Settings.LEASE), "/effects");
    }

    private static Verdict check(Trial trial) {
        rig.scan(trial.history());
        return trial.check();
    }

    private static String words(Point point) {
        return point.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    @Test
    void aKilledOwnerLeavesAnOrphanThatIsReportedWhenItIsTakenOver() {
        for (int round = 0; round < Settings.ROUNDS; round++) {
            for (Point point : POINTS) {
                Trial trial = trial("kill -9 of the application " + words(point));
                trial.hold(victim.instance(), Settings.BATCH, point);
                trial.kill(victim.instance());
                victim = rig.startNode();
                trial.finish(other.instance());
                Verdict verdict = check(trial);
                mustHaveHit(verdict, DOUBTFUL.contains(point) ? Settings.BATCH : 0);
                RedisRig.Node survivor = other;
                other = victim;
                victim = survivor;
                other.instance().awaitReady();
            }
        }
    }

    @Test
    void anOwnerThatWasPausedBeyondItsLeaseIsToldSo() {
        for (int round = 0; round < Settings.ROUNDS; round++) {
            for (Point point : POINTS) {
                Trial trial = trial("SIGSTOP beyond the lease " + words(point));
                List<Call> held = trial.hold(victim.instance(), Settings.BATCH, point);
                trial.pause(victim.instance());
                trial.finish(other.instance());
                trial.resume(victim.instance());
                trial.releaseAndAwait(held);
                trial.finish(victim.instance(), other.instance());
                boolean ranTwice = point == Point.BEFORE_EFFECT || DOUBTFUL.contains(point);
                mustHaveHit(check(trial), ranTwice ? Settings.BATCH : 0);
            }
        }
    }

    private static void mustHaveHit(Verdict verdict, int duplicates) {
        assertThat(verdict.duplicates()).isEqualTo(duplicates);
        assertThat(verdict.detected()).isEqualTo(duplicates == 0 ? Map.of() : Map.of("orphan", duplicates));
    }
}
