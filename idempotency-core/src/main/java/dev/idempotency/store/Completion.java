// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import dev.idempotency.breaker.BreakerPolicy;
import java.time.Duration;

/** How an owner ends its claim. */
public sealed interface Completion {

    /**
     * The operation is done.
     *
     * @param payload what to answer repeats with
     * @param ttl how long to do so, from now; positive
     */
    record Success(Payload payload, Duration ttl) implements Completion {}

    /**
     * The attempt failed; the next repeat may try again.
     *
     * @param payload what is known of the failure
     * @param ttl how long to remember it, from now; positive. A cool-down that lasts longer prolongs it.
     * @param breaker when to cool the operation down
     */
    record Failure(Payload payload, Duration ttl, BreakerPolicy breaker) implements Completion {}

    /** Nothing happened: forget the operation altogether. */
    record Release() implements Completion {}
}
