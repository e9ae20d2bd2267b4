// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.history.FaultKind;
import dev.idempotency.faults.history.Promise;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A primary that is killed under load, and a replica that takes its place without what had not reached it. */
class FailoverIT {

    private static final Promise REPORTED = Promise.reported(Settings.LEASE);

    @Test
    void aSentinelFailoverCostsNoSecondEffectThatIsNeitherReportedNorLost() throws Exception {
        play("Sentinel failover", RedisGroup::sentinel);
    }

    @Test
    void aClusterFailoverCostsNoSecondEffectThatIsNeitherReportedNorLost() throws Exception {
        play("Cluster failover", RedisGroup::cluster);
    }

    private static void play(String fault, Function<Path, RedisGroup> opener) throws IOException {
        for (int round = 0; round < Settings.ROUNDS; round++) {
            Path directory = Directories.create("failover");
            try (Driver driver = new Driver();
                    RedisGroup group = opener.apply(directory);
                    Instance one = start(driver, directory, group);
                    Instance two = start(driver, directory, group)) {
                one.awaitReady();
                two.awaitReady();
                fail(driver, group, fault, one, two);
            }
        }
    }

    private static Instance start(Driver driver, Path directory, RedisGroup group) {
        List<String> properties = new ArrayList<>(List.of(
                "idempotency.store=redis",
                Instance.NO_DATABASE,
                "idempotency.defaults.timeout=" + Settings.LEASE.toMillis() + "ms",
                "spring.data.redis.connect-timeout=1s"));
        properties.addAll(group.properties());
        return Instance.start(driver, directory, Map.of(), List.of(), properties);
    }

    private static void fail(Driver driver, RedisGroup group, String fault, Instance one, Instance two) {
        Sweep sweep = new Sweep(driver, fault, REPORTED, "/effects", Settings.POINTS);
        Trial load = new Trial(driver, fault + ", under load", REPORTED, "/effects");
        sweep.hold(one, Settings.BATCH);
        try (Load traffic = new Load(load, one, two)) {
            traffic.awaitSome();
            sweep.note(FaultKind.BROKEN);
            sweep.note(FaultKind.LOSING);
            load.note(FaultKind.BROKEN);
            load.note(FaultKind.LOSING);
            group.killPrimary();
            sweep.note(FaultKind.STRUCK);
            load.note(FaultKind.STRUCK);
            traffic.awaitSome();
            group.awaitFailover();
            sweep.note(FaultKind.LOST);
            sweep.note(FaultKind.HEALED);
            load.note(FaultKind.LOST);
            load.note(FaultKind.HEALED);
            traffic.awaitSome();
        }
        sweep.releaseAll();
        sweep.finish(one, two);
        load.finish(one, two);
        sweep.tell(group::scan);
        sweep.check();
        Table.FAULTS.add(fault + ", under load", load.check());
    }
}
