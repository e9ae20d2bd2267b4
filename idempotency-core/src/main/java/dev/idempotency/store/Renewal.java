// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import dev.idempotency.key.RecordKey;
import java.time.Duration;

/**
 * A claim that is to hold for longer.
 *
 * @param key the operation
 * @param owner the token that the claim is known by
 * @param lease how long the claim is to hold from now, positive
 * @param ttl how long the record is to stay from now, at least {@code lease}
 */
public record Renewal(RecordKey key, OwnerToken owner, Duration lease, Duration ttl) {}
