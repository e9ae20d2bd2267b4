// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.memory;

import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordStateMachine;
import dev.idempotency.store.RouteStates;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** States of routes in the heap of one process; as many as there are bizTypes. */
final class InMemoryRouteStates implements RouteStates {

    private final InstantSource clock;
    private final ConcurrentMap<String, Payload> states = new ConcurrentHashMap<>();

    InMemoryRouteStates(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Seen read() {
        return new Seen(RecordStateMachine.truncate(clock.instant()), states);
    }

    @Override
    public boolean replace(String bizType, Payload seen, Payload next) {
        if (seen.size() == 0) {
            return next.size() == 0 ? !states.containsKey(bizType) : states.putIfAbsent(bizType, next) == null;
        }
        return next.size() == 0 ? states.remove(bizType, seen) : states.replace(bizType, seen, next);
    }
}
