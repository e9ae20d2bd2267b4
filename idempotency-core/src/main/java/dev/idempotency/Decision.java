// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.breaker.BreakerScope;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.StoreUnavailableException;
import dev.idempotency.store.StoredResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is to be done with a call: run it, answer it again, or refuse it. */
public sealed interface Decision {

    /** The caller owns the operation: run it, then end the execution, whatever happens. */
    record Run(Execution execution) implements Decision {}

    /** The store gave no answer and the policy is open: run it; there is nothing to end. */
    record RunUnprotected(StoreUnavailableException cause) implements Decision {}

    /**
     * Answer as the first call was answered.
     *
     * @param firstTraceId trace of the call that ran, if it was traced
     */
    record Replay(StoredResponse response, @Nullable String firstTraceId) implements Decision {}

    /** The operation is done, and the policy refuses repeats instead of replaying. */
    record AlreadyProcessed(IdempotencyRecord found) implements Decision {}

    /** Another call is running the operation. {@code retryAfter} is when to ask again, a second or more. */
    record InProgress(Duration retryAfter) implements Decision {}

    /** The operation was started with other content. */
    record KeyReused() implements Decision {}

    /**
     * It failed too often.
     *
     * @param scope what did: the operation, or operations of its bizType
     * @param retryAfter how long it is still refused, positive
     */
    record CoolingDown(BreakerScope scope, Duration retryAfter) implements Decision {}

    /** An earlier call went silent; nobody knows whether it had its effect. */
    record OutcomeUnknown() implements Decision {}

    /**
     * The answer of an earlier call cannot be given again.
     *
     * @param done whether the operation is known to be done; otherwise its record is damaged, and nobody knows
     */
    record ResultUnavailable(boolean done) implements Decision {}

    /** The store gave no answer and the policy is closed. */
    record StoreUnavailable(StoreUnavailableException cause) implements Decision {}
}
