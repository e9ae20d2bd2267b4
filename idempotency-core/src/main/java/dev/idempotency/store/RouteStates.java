// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Keeps a few bytes for each bizType, shared by all instances of a namespace: how its route stands. What they say is not the
 * store's business; {@link dev.idempotency.breaker.RouteState} decides, and a store only sees to it that no decision
 * overwrites another.
 *
 * <p>Every method is one atomic step in the backend, never waits for another caller, may be called from any thread, and
 * throws {@link StoreUnavailableException} if the backend gave no answer; the step may or may not have been carried out then.
 */
public interface RouteStates {

    /** How long a state that is not written again may be forgotten at the earliest. */
    Duration RETENTION = Duration.ofDays(30);

    /** All of them in one step, as last written. */
    Seen read();

    /**
     * Writes a state unless somebody else has written meanwhile.
     *
     * @param seen what {@link #read} said of it, {@link Payload#EMPTY} if it was not there
     * @param next what is to be there, {@link Payload#EMPTY} for nothing
     * @return whether it is written; {@code false} changed nothing: there is something else than was seen
     */
    boolean replace(String bizType, Payload seen, Payload next);

    /**
     * What there is.
     *
     * @param now the backend's time, in whole microseconds
     * @param states by bizType
     */
    record Seen(Instant now, Map<String, Payload> states) {

        public Seen {
            states = Map.copyOf(states);
        }

        /** The state of a bizType, {@link Payload#EMPTY} if it is not there. */
        public Payload of(String bizType) {
            return states.getOrDefault(bizType, Payload.EMPTY);
        }
    }
}
