// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.history.FaultKind;
import dev.idempotency.faults.history.Promise;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Redis server that is killed or paused at each step of a call. */
class RedisFaultsIT {

    private static final Promise REPORTED = Promise.reported(Settings.LEASE);

    private RedisRig rig;

    @BeforeEach
    void start() {
        rig = RedisRig.shared();
    }

    private Sweep sweep(String fault, String path) {
        return new Sweep(rig.driver(), fault, REPORTED, path, Settings.POINTS);
    }

    private void finish(Sweep sweep) {
        sweep.releaseAll();
        sweep.finish(rig.victim().instance(), rig.other().instance());
        sweep.tell(rig::scan);
    }

    @Test
    void aKilledServerThatKeepsItsRecordsCostsNoSecondEffectThatIsNotReported() {
        for (int round = 0; round < Settings.ROUNDS; round++) {
            Sweep sweep = sweep("kill -9 of Redis, append-only file", "/effects");
            sweep.hold(rig.victim().instance(), Settings.BATCH);
            sweep.note(FaultKind.BROKEN);
            rig.killServer(false, () -> {
                sweep.note(FaultKind.STRUCK);
                sweep.releaseHalf();
            });
            sweep.note(FaultKind.HEALED);
            finish(sweep);
            sweep.check();
        }
    }

    @Test
    void aKilledServerWithoutPersistenceForgetsAndStaleOwnersAreTold() {
        for (int round = 0; round < Settings.ROUNDS; round++) {
            Sweep sweep = sweep("kill -9 of Redis, no persistence", "/effects");
            rig.stopPersistence();
            sweep.hold(rig.victim().instance(), Settings.BATCH);
            sweep.note(FaultKind.BROKEN);
            sweep.note(FaultKind.LOSING);
            rig.killServer(true, () -> {
                sweep.note(FaultKind.STRUCK);
                sweep.releaseHalf();
            });
            sweep.note(FaultKind.LOST);
            sweep.note(FaultKind.HEALED);
            finish(sweep);
            rig.killServer(false, () -> {});
            sweep.check();
        }
    }

    @Test
    void aKilledServerStopsNobodyWhereTheStoreFailsOpen() {
        for (int round = 0; round < Settings.ROUNDS; round++) {
            Sweep sweep = sweep("kill -9 of Redis (store-failure: open)", "/open-effects");
            sweep.hold(rig.victim().instance(), Settings.BATCH);
            sweep.note(FaultKind.BROKEN);
            rig.killServer(false, () -> {
                sweep.note(FaultKind.STRUCK);
                sweep.releaseHalf();
            });
            sweep.note(FaultKind.HEALED);
            finish(sweep);
            sweep.check();
        }
    }

    @Test
    void aServerThatStandsStillIsAnOutageAndNoMore() {
        for (int round = 0; round < Settings.ROUNDS; round++) {
            Sweep sweep = sweep("SIGSTOP of Redis", "/effects");
            sweep.hold(rig.victim().instance(), Settings.BATCH);
            sweep.strike(rig.server().process()::pause);
            sweep.releaseHalf();
            rig.server().process().resume();
            sweep.note(FaultKind.HEALED);
            finish(sweep);
            sweep.check();
        }
    }
}
