// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.faults.app.Point;
import dev.idempotency.faults.history.FaultKind;
import dev.idempotency.faults.history.Promise;
import dev.idempotency.faults.history.Verdict;
import java.util.EnumSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Effect and record in one transaction at PostgreSQL: whatever breaks at whatever step, there is one effect. */
class ExactlyOnceIT {

    private static final Promise ONCE = Promise.exactlyOnce(Settings.LEASE);

    /** Calls that one fault hits at each point. */
    private static final int BATCH = 6;

    private static PostgresRig rig;
    private static PostgresRig.Node victim;
    private static PostgresRig.Node other;
    private static int faulted;

    @BeforeAll
    static void start() {
        rig = new PostgresRig();
        victim = rig.startNode();
        other = rig.startNode();
        victim.instance().awaitReady();
        other.instance().awaitReady();
    }

    @AfterAll
    static void stop() throws Exception {
        System.out.println(faulted + " calls were hit by a fault");
        rig.close();
    }

    /**
     * Plays a fault again and again.
     *
     * @param percent how much of all calls that are hit by a fault is to be hit by this one
     */
    private static void play(String fault, int percent, Consumer<Sweep> breaks) {
        Sweep sweep = new Sweep(rig.driver(), fault, ONCE, "/effects", EnumSet.allOf(Point.class));
        int wanted = Settings.JOINED_CALLS * Settings.ROUNDS * percent / 100;
        for (int hit = 0; hit < wanted; ) {
            int held = sweep.hold(victim.instance(), BATCH);
            hit += held;
            faulted += held;
            breaks.accept(sweep);
            sweep.releaseAll();
            sweep.finish(victim.instance(), other.instance());
        }
        sweep.count(rig::count);
        for (Verdict verdict : sweep.check().values()) {
            assertThat(verdict.effects()).isEqualTo(verdict.operations());
        }
    }

    private static void playLink(String fault, int percent, Consumer<Link> breaks) {
        play(fault, percent, sweep -> {
            sweep.note(FaultKind.BROKEN);
            breaks.accept(victim.link());
            sweep.releaseHalf();
            victim.link().heal();
            sweep.note(FaultKind.HEALED);
        });
    }

    @Test
    void connectionsThatAreCutAtAnyStepLeaveOneEffect() {
        playLink("joined: connections cut", 35, Link::cut);
    }

    @Test
    void connectionsThatAreRefusedAtAnyStepLeaveOneEffect() {
        playLink("joined: connections refused", 5, Link::refuse);
    }

    @Test
    void repliesThatAreLostAtAnyStepLeaveOneEffect() {
        playLink("joined: replies lost", 10, Link::loseReplies);
    }

    @Test
    void halfOpenConnectionsAtAnyStepLeaveOneEffect() {
        playLink("joined: connections half open", 2, Link::halfOpen);
    }

    @Test
    void anOwnerThatIsPausedBeyondItsLeaseAtAnyStepLeavesOneEffect() {
        play("joined: SIGSTOP beyond the lease", 25, sweep -> {
            sweep.pause(victim.instance());
            sweep.awaitTakeOver(other.instance(), Point.AFTER_EFFECT);
            sweep.resume(victim.instance());
        });
    }

    @Test
    void anApplicationThatIsKilledAtAnyStepLeavesOneEffect() {
        play("joined: kill -9 of the application", 3, sweep -> {
            sweep.kill(victim.instance());
            victim = other;
            other = rig.startNode();
            other.instance().awaitReady();
        });
    }

    @Test
    void aDatabaseThatIsKilledAtAnyStepLeavesOneEffect() {
        play("joined: kill -9 of PostgreSQL", 20, sweep -> {
            sweep.note(FaultKind.BROKEN);
            rig.server().kill();
            sweep.releaseHalf();
            rig.server().start();
            sweep.note(FaultKind.HEALED);
        });
    }
}
