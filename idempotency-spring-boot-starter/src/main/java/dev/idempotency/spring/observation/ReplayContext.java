// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.observation;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/** What is known of an observed replay. */
public final class ReplayContext extends Observation.Context {

    private final @Nullable String firstTraceId;

    ReplayContext(@Nullable String firstTraceId) {
        this.firstTraceId = firstTraceId;
    }

    /** Trace of the call that ran, if it was traced; see {@link dev.idempotency.IdempotentRequest}. */
    public @Nullable String firstTraceId() {
        return firstTraceId;
    }
}
