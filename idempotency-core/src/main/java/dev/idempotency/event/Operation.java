// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.event;

import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.IdempotencyPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The call that an event is about.
 *
 * @param key the operation
 * @param policy its rules
 * @param transport how the call arrived, one of a small set such as {@code http}
 * @param traceId the call's trace, if traced; see {@link dev.idempotency.IdempotentRequest}
 */
public record Operation(
        RecordKey key,
        IdempotencyPolicy policy,
        String transport,
        @Nullable String traceId) {

    public String bizType() {
        return key.bizType();
    }
}
