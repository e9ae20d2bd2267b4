// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.OnOrphan;
import java.time.Duration;

/**
 * A request to become the owner of an operation.
 *
 * @param key the operation
 * @param owner the token that the claim is to be known by; the same token again is the same claim
 * @param fingerprint digest of the request's content
 * @param lease how long the claim holds unless renewed, positive
 * @param ttl how long the record stays if nothing more is heard, at least {@code lease}
 * @param onOrphan what to do with a claim whose lease is over
 * @param payload what to keep while the attempt runs
 * @param waits whether the caller waits if somebody else owns the operation, so that it is worth {@linkplain EndSignals
 *     telling} it of the end
 * @param redriveOf version of the record that a dead letter being redriven is about, 0 if none is. A person has decided
 *     that it runs: no cool-down refuses it, and an orphan of just this version is taken over whatever {@code onOrphan}
 *     says. Any other record is treated as always.
 */
public record Claim(
        RecordKey key,
        OwnerToken owner,
        Fingerprint fingerprint,
        Duration lease,
        Duration ttl,
        OnOrphan onOrphan,
        Payload payload,
        boolean waits,
        long redriveOf) {

    /** A claim that is no redrive. */
    public Claim(
            RecordKey key,
            OwnerToken owner,
            Fingerprint fingerprint,
            Duration lease,
            Duration ttl,
            OnOrphan onOrphan,
            Payload payload,
            boolean waits) {
        this(key, owner, fingerprint, lease, ttl, onOrphan, payload, waits, 0);
    }

    /** A claim by a caller that does not wait, and that is no redrive. */
    public Claim(
            RecordKey key,
            OwnerToken owner,
            Fingerprint fingerprint,
            Duration lease,
            Duration ttl,
            OnOrphan onOrphan,
            Payload payload) {
        this(key, owner, fingerprint, lease, ttl, onOrphan, payload, false, 0);
    }

    /** The same claim with another payload. */
    public Claim with(Payload other) {
        return new Claim(key, owner, fingerprint, lease, ttl, onOrphan, other, waits, redriveOf);
    }

    /** The same claim for other times. */
    public Claim with(Duration otherLease, Duration otherTtl) {
        return new Claim(key, owner, fingerprint, otherLease, otherTtl, onOrphan, payload, waits, redriveOf);
    }

    /** Whether a person has decided that the operation runs. */
    public boolean isRedrive() {
        return redriveOf != 0;
    }
}
