// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import java.time.Duration;

/** The one answer to a {@link Completion}. */
public sealed interface CompletionResult {

    /**
     * The completion is in the record. Also the answer when the same owner has written the same kind of end before, so
     * that a caller who never saw the first reply may ask again.
     *
     * @param version the record's version after the change (for a release: that of the claim)
     * @param cooldown how long the operation is refused from now on; zero unless the breaker opened
     */
    record Applied(long version, Duration cooldown) implements CompletionResult {}

    /** The caller no longer owned the operation, or its lease was over; nothing was changed. */
    record Stale() implements CompletionResult {}
}
