// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.time.Duration;

/** A setting that does not fit a sender's {@link RetrySchedule}. */
public sealed interface Shortcoming {

    /** The sender may try again after the record is gone, and the event runs twice. */
    record TtlTooShort(Duration ttl, Duration window) implements Shortcoming {}

    /** If an owner goes silent, the sender's next attempt is refused, and the event waits for the one after. */
    record LeaseTooLong(Duration lease, Duration firstRetry) implements Shortcoming {}
}
