// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/**
 * How a sender signs its deliveries. Verifies the raw bytes with the platform's own cryptography, in a time that does not
 * tell how much of a signature was right. Parses no body, keeps nothing, and may be used from any thread.
 */
public interface SignatureScheme {

    /**
     * Verifies a delivery: one of its signatures must match one of the secrets. Signatures of unknown versions are skipped.
     *
     * @param secrets those that are valid at the moment, several while one is being replaced by another
     * @param now what its time stamp is compared with
     * @throws IllegalArgumentException if a secret is none of this scheme; see {@link #requireUsable}
     */
    Verification verify(Delivery delivery, Collection<Secret> secrets, Instant now);

    /**
     * Checks that a secret is one of this scheme.
     *
     * @throws IllegalArgumentException if it is not; the message says what it should be and does not hold the secret
     */
    void requireUsable(Secret secret);

    /**
     * The same scheme with another tolerance, in the directions in which it looks at the time stamp.
     *
     * @param tolerance how old, and how far in the future, a signature may be; zero switches the check off. Without effect on
     *     schemes that sign no time stamp
     */
    SignatureScheme withTolerance(Duration tolerance);
}
