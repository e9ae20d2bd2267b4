// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.history.FaultKind;
import dev.idempotency.faults.history.Promise;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections to Redis that break at each step of a call; the other application's connections are sound. */
class ConnectionFaultsIT {

    /** Longer than {@code idempotency.redis.command-timeout}. */
    private static final long DELAY_MILLIS = 700;

    private RedisRig rig;

    @BeforeEach
    void start() {
        rig = RedisRig.shared();
    }

    /** The first half of the calls goes on while the link is broken, the second afterwards. */
    private void play(String fault, Consumer<Link> breaks) {
        for (int round = 0; round < Settings.ROUNDS; round++) {
            Sweep sweep = new Sweep(rig.driver(), fault, Promise.reported(Settings.LEASE), "/effects", Settings.POINTS);
            Link link = rig.victim().link();
            sweep.hold(rig.victim().instance(), Settings.BATCH);
            sweep.strike(() -> breaks.accept(link));
            sweep.releaseHalf();
            link.heal();
            sweep.note(FaultKind.HEALED);
            sweep.releaseAll();
            sweep.finish(rig.victim().instance(), rig.other().instance());
            sweep.tell(rig::scan);
            sweep.check();
        }
    }

    @Test
    void connectionsThatAreCutCostNoSecondEffectThatIsNotReported() {
        play("connections cut", Link::cut);
    }

    @Test
    void connectionsThatAreRefusedCostNoSecondEffectThatIsNotReported() {
        play("connections refused", Link::refuse);
    }

    @Test
    void halfOpenConnectionsCostNoSecondEffectThatIsNotReported() {
        play("connections half open", Link::halfOpen);
    }

    @Test
    void delayedConnectionsCostNoSecondEffectThatIsNotReported() {
        play("connections delayed beyond the command time-out", link -> link.delay(DELAY_MILLIS));
    }

    /** Claims, renewals and completions arrive, and their owner never learns of it. */
    @Test
    void lostRepliesCostNoSecondEffectThatIsNotReported() {
        play("replies lost", Link::loseReplies);
    }

    /** A partition: the other application takes over from an owner that lives but cannot renew. */
    @Test
    void anOwnerThatIsCutOffBeyondItsLeaseIsToldSo() {
        for (int round = 0; round < Settings.ROUNDS; round++) {
            Sweep sweep = new Sweep(
                    rig.driver(),
                    "cut off beyond the lease",
                    Promise.reported(Settings.LEASE),
                    "/effects",
                    Settings.POINTS);
            sweep.hold(rig.victim().instance(), Settings.BATCH);
            sweep.strike(rig.victim().link()::halfOpen);
            sweep.finish(rig.other().instance());
            rig.victim().link().heal();
            sweep.note(FaultKind.HEALED);
            sweep.releaseAll();
            sweep.finish(rig.victim().instance(), rig.other().instance());
            sweep.tell(rig::scan);
            sweep.check();
        }
    }
}
