// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.faults.app.Point;
import dev.idempotency.faults.app.Sabotage;
import dev.idempotency.faults.history.FaultKind;
import dev.idempotency.faults.history.Promise;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real calls with a fault planted between the library and its store: the checker must find each of them. */
class BrokenStoreIT {

    /** An owner is paused after its effect, its sender tries again elsewhere, and the owner comes back. */
    @ParameterizedTest
    @EnumSource
    void theCheckerFindsAStoreThat(Sabotage sabotage) {
        RedisRig rig = RedisRig.shared();
        Instance victim = rig.victim().instance();
        Trial trial = new Trial(rig.driver(), sabotage.name(), Promise.reported(Settings.LEASE), "/effects");
        trial.sabotage(sabotage);
        List<Call> held = trial.hold(victim, Settings.BATCH, Point.AFTER_EFFECT);
        victim.process().pause();
        trial.note(FaultKind.PAUSED, victim);
        trial.finish(rig.other().instance());
        trial.note(FaultKind.RESUMED, victim);
        victim.process().resume();
        trial.releaseAndAwait(held);
        trial.finish(victim, rig.other().instance());

        if (sabotage == Sabotage.NONE) {
            assertThat(trial.verdict().violations()).isEmpty();
        } else {
            assertThat(trial.verdict().brokenRules()).contains("one owner at a time");
        }
    }
}
