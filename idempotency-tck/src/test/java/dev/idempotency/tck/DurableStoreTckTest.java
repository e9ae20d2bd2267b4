// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.idempotency.store.IdempotencyStore;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

class DurableStoreTckTest {

    @Test
    void storeThatKeepsItsRecordsPasses() {
        assertThat(failures(Durable.class)).isZero();
    }

    @Test
    void storeThatLosesItsRecordsFailsEveryTest() {
        assertThat(failures(Forgetful.class)).isEqualTo(4);
    }

    private static long failures(Class<? extends DurableStoreTck> kit) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(kit))
                .execute()
                .testEvents()
                .failed()
                .count();
    }

    static class Durable extends DurableStoreTck {

        private final IdempotencyStore store = new SteppedStore(new ManualClock());

        @Override
        protected IdempotencyStore openStore() {
            return store;
        }

        @Override
        protected void closeStore(IdempotencyStore closed) {}
    }

    static class Forgetful extends DurableStoreTck {

        @Override
        protected IdempotencyStore openStore() {
            return new SteppedStore(new ManualClock());
        }

        @Override
        protected void closeStore(IdempotencyStore closed) {}
    }
}
