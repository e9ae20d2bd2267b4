// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Proof of ownership of one claim: 128 bits, unique rather than secret, so they come from a fast generator.
 *
 * @param high first eight bytes
 * @param low last eight bytes
 */
public record OwnerToken(long high, long low) {

    /** Bytes of a token in a store. */
    public static final int BYTES = 16;

    /** A token that no other claim has. */
    public static OwnerToken random() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new OwnerToken(random.nextLong(), random.nextLong());
    }
}
