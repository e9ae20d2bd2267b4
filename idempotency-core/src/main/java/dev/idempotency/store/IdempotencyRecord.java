// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import dev.idempotency.breaker.SlidingWindow;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import java.time.Instant;

/**
 * Everything known of one operation. All instants are the store's, in whole microseconds.
 *
 * @param key the operation's identity
 * @param version fencing number: grows at every change of owner or status, and is greater than any earlier one of the
 *     same key even after release or expiry, as it is the store's time in microseconds since 1970 or, if that is not
 *     greater, one more than the last
 * @param status where the operation stands
 * @param owner who made the latest claim
 * @param leaseEnd when that claim stops holding; of meaning only while {@code PENDING}
 * @param fingerprint digest of the content that the operation was started with
 * @param attempts how many claims there have been since the record began, 1 or more
 * @param window the recent failures and the cool-down
 * @param payload the encoded {@link RecordContent}
 * @param createdAt when the record began
 * @param updatedAt when version last changed
 * @param expiresAt when the record is to be treated as absent, whether or not it has been swept
 */
public record IdempotencyRecord(
        RecordKey key,
        long version,
        RecordStatus status,
        OwnerToken owner,
        Instant leaseEnd,
        Fingerprint fingerprint,
        int attempts,
        SlidingWindow window,
        Payload payload,
        Instant createdAt,
        Instant updatedAt,
        Instant expiresAt) {

    /** The same record with another payload. */
    public IdempotencyRecord with(Payload other) {
        return new IdempotencyRecord(
                key,
                version,
                status,
                owner,
                leaseEnd,
                fingerprint,
                attempts,
                window,
                other,
                createdAt,
                updatedAt,
                expiresAt);
    }

    /** Whether the record no longer answers at this instant. */
    public boolean isExpired(Instant now) {
        return !now.isBefore(expiresAt);
    }

    /** Whether an owner holds the claim at this instant; at the lease's very end nobody does. */
    public boolean isOwned(Instant now) {
        return status == RecordStatus.PENDING && now.isBefore(leaseEnd);
    }
}
