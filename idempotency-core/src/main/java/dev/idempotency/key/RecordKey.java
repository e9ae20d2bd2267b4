// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.key;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * SHA-256 identity of one operation within its bizType.
 *
 * <p>Two keys are equal only if they were built from the same parts with the same values. Parts are tagged and
 * length-prefixed, never joined by a separator, and an absent part differs from an empty one. Immutable.
 */
public final class RecordKey {

    private static final int DIGEST_BYTES = 32;
    private static final int MAX_BIZ_TYPE = 64;

    private final String bizType;
    private final byte[] digest;

    private RecordKey(String bizType, byte[] digest) {
        this.bizType = bizType;
        this.digest = digest;
    }

    /** Starts a key of the given bizType, which is its first part. */
    public static Builder builder(String bizType) {
        return new Builder(requireBizType(bizType));
    }

    /**
     * The key with the given digest, as a store or an operator knows it.
     *
     * @throws IllegalArgumentException unless {@code hex} has 64 hexadecimal digits
     */
    public static RecordKey ofHex(String bizType, String hex) {
        if (hex.length() != 2 * DIGEST_BYTES) {
            throw new IllegalArgumentException("a record key has 64 hexadecimal digits, not " + hex.length());
        }
        return new RecordKey(requireBizType(bizType), HexFormat.of().parseHex(hex));
    }

    /**
     * Returns the name if it is fit for store keys, logs and metric tags.
     *
     * @throws IllegalArgumentException unless it has 1 to 64 characters of {@code A-Z a-z 0-9 _ . -}
     */
    public static String requireBizType(String name) {
        boolean fits = !name.isEmpty() && name.length() <= MAX_BIZ_TYPE;
        for (int i = 0; fits && i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            fits = letter || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    "a bizType must have 1 to 64 characters of A-Z a-z 0-9 _ . -, but is '" + name + "'");
        }
        return name;
    }

    public String bizType() {
        return bizType;
    }

    /** The digest as 64 lower-case hexadecimal digits. */
    public String hex() {
        return HexFormat.of().formatHex(digest);
    }

    /** The digest's 32 bytes, a copy. */
    public byte[] toBytes() {
        return digest.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RecordKey that && Arrays.equals(digest, that.digest) && bizType.equals(that.bizType);
    }

    @Override
    public int hashCode() {
        return ByteBuffer.wrap(digest).getInt();
    }

    /** BizType and first eight hexadecimal digits: enough to tell log lines apart, nothing of the sender's key. */
    @Override
    public String toString() {
        return bizType + ":" + HexFormat.of().formatHex(digest, 0, 4);
    }

    /** Gathers the parts of a key; for one thread and one key. */
    public static final class Builder {

        private final String bizType;
        private final MessageDigest sha256 = Sha256.newDigest();

        private Builder(String bizType) {
            this.bizType = bizType;
            part("biz-type", bizType);
        }

        /**
         * Adds a part.
         *
         * @param name what the part is; not the sender's text
         * @param value its value, of any content and length; {@code null} if the request has none
         */
        public Builder part(String name, @Nullable String value) {
            Sha256.updateText(sha256, name);
            if (value == null) {
                sha256.update((byte) 0);
            } else {
                sha256.update((byte) 1);
                Sha256.updateText(sha256, value);
            }
            return this;
        }

        public RecordKey build() {
            return new RecordKey(bizType, sha256.digest());
        }
    }
}
