// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.health;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.StoreUnavailableException;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Whether the store answers, and what it means if it does not: DOWN if that refuses requests, UNKNOWN if all of them run
 * unprotected, so that an instance which still serves is not taken out of service. May be used from any thread.
 */
public final class StoreHealth {

    /** Of no operation. */
    private static final RecordKey PROBE = RecordKey.builder("health").build();

    private final IdempotencyStore store;
    private final BooleanSupplier refuses;

    /**
     * A check.
     *
     * @param refuses whether requests are refused while the store gives no answer
     */
    public StoreHealth(IdempotencyStore store, BooleanSupplier refuses) {
        this.store = store;
        this.refuses = refuses;
    }

    /** Asks the store; the code of a status, and the details. */
    public Map.Entry<String, Map<String, Object>> check() {
        try {
            store.find(PROBE);
            return Map.entry("UP", Map.of("store", store.name()));
        } catch (StoreUnavailableException e) {
            boolean refused = refuses.getAsBoolean();
            return Map.entry(
                    refused ? "DOWN" : "UNKNOWN",
                    Map.of(
                            "store", store.name(),
                            "error", String.valueOf(e.getMessage()),
                            "requests", refused ? "refused" : "run unprotected"));
        }
    }
}
