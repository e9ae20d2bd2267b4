// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.key;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Digest of a request's content, with the id of the algorithm that made it.
 *
 * <p>The algorithm id stands for everything that decides which contents are the same: the version of the method and
 * its settings. Fingerprints of different algorithms say nothing about each other; after a change of settings, repeats
 * of older requests are recognised by their record key alone. Immutable.
 */
public final class Fingerprint {

    /** Bytes of the digest. */
    public static final int DIGEST_BYTES = 32;

    private final int algorithm;
    private final byte[] digest;

    private Fingerprint(int algorithm, byte[] digest) {
        this.algorithm = algorithm;
        this.digest = digest;
    }

    /**
     * A fingerprint.
     *
     * @param algorithm id of the method and its settings
     * @param digest 32 bytes, copied
     * @throws IllegalArgumentException if the digest has another length
     */
    public static Fingerprint of(int algorithm, byte[] digest) {
        if (digest.length != DIGEST_BYTES) {
            throw new IllegalArgumentException("a fingerprint has 32 bytes, not " + digest.length);
        }
        return new Fingerprint(algorithm, digest.clone());
    }

    public int algorithm() {
        return algorithm;
    }

    /** The digest's 32 bytes, a copy. */
    public byte[] toBytes() {
        return digest.clone();
    }

    /** Whether both were made by the same algorithm from different content. */
    public boolean contradicts(Fingerprint other) {
        return algorithm == other.algorithm && !Arrays.equals(digest, other.digest);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Fingerprint that && algorithm == that.algorithm && Arrays.equals(digest, that.digest);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }

    @Override
    public String toString() {
        return Integer.toHexString(algorithm) + ":" + HexFormat.of().formatHex(digest, 0, 4);
    }
}
