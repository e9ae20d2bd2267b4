// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.page;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request that arrived at a webhook, and what became of it.
 *
 * @param number grows by one with each delivery
 * @param detail why it was not executed, such as {@code in-progress}; {@code null} if it was, or if the library was not
 *     asked
 * @param recordKey bizType and the first digits of the record key; {@code null} if the delivery never got one. The
 *     sender's own key is not kept
 */
record Delivery(
        long number,
        Instant time,
        String endpoint,
        Outcome outcome,
        @Nullable String detail,
        int status,
        @Nullable String recordKey,
        long millis) {}
