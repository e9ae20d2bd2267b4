// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.store.IdempotencyStore;
import java.time.Duration;

class InMemoryRouteStatesTest extends RouteStatesTck {

    private final ManualClock clock = new ManualClock();
    private final IdempotencyStore store = new InMemoryIdempotencyStore(64 << 20, clock);

    @Override
    protected IdempotencyStore openStore() {
        return store;
    }

    @Override
    protected void elapse(Duration duration) {
        clock.advance(duration);
    }
}
