// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.event.Operation;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.store.Claim;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call as an access layer hands it to the coordinator.
 *
 * @param key the operation that it asks for; its bizType is the policy's
 * @param fingerprint digest of its content
 * @param policy the rules of its bizType
 * @param transport how it arrived, one of a small set such as {@code http}
 * @param traceId its trace, if traced
 * @param snapshot makes the copy that is parked as a dead letter; called at most once, while the call
 *     lasts, and only if one is parked or may have to be later
 * @param redriveOf version of the record that a letter being redriven is about, see {@link Claim#redriveOf}; 0 if the call
 *     is no redrive
 */
public record IdempotentRequest(
        RecordKey key,
        Fingerprint fingerprint,
        IdempotencyPolicy policy,
        String transport,
        @Nullable String traceId,
        Supplier<RequestSnapshot> snapshot,
        long redriveOf) {

    /** A call that is no redrive. */
    public IdempotentRequest(
            RecordKey key,
            Fingerprint fingerprint,
            IdempotencyPolicy policy,
            String transport,
            @Nullable String traceId,
            Supplier<RequestSnapshot> snapshot) {
        this(key, fingerprint, policy, transport, traceId, snapshot, 0);
    }

    /** The same, with the copy made already: what it is made of may be gone when it is needed. */
    IdempotentRequest copied() {
        RequestSnapshot copy = snapshot.get();
        return new IdempotentRequest(key, fingerprint, policy, transport, traceId, () -> copy, redriveOf);
    }

    Operation operation() {
        return new Operation(key, transport, traceId);
    }
}
