// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.event;

import dev.idempotency.key.RecordKey;
import org.jspecify.annotations.Nullable;

/**
 * The call that an event is about.
 *
 * @param key the operation
 * @param transport how the call arrived, one of a small set such as {@code http}
 * @param traceId the call's trace, if traced
 */
public record Operation(
        RecordKey key, String transport, @Nullable String traceId) {

    public String bizType() {
        return key.bizType();
    }
}
