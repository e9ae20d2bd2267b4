// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.encryption;

import java.nio.charset.StandardCharsets;
import javax.crypto.spec.SecretKeySpec;

/** A secret of 256 bits with the name that stored bytes know it by. Immutable; its text form has the name only. */
public final class EncryptionKey {

    /** Bytes of a secret. */
    public static final int SECRET_BYTES = 32;

    /** Most characters of a name. */
    public static final int MAX_ID = 32;

    private final String id;
    private final DerivedKeys keys;

    /**
     * A key.
     *
     * @param id its name, which is stored beside what it encrypts and must never name another secret; 1 to
     *     {@value #MAX_ID} characters of {@code A-Z a-z 0-9 _ . -}
     * @param secret its {@value #SECRET_BYTES} random bytes, copied
     * @throws IllegalArgumentException if an argument breaks its rule; the message has nothing of the secret
     */
    public EncryptionKey(String id, byte[] secret) {
        if (!isId(id)) {
            throw new IllegalArgumentException("the id of an encryption key must have 1 to " + MAX_ID
                    + " characters of A-Z a-z 0-9 _ . -, but is '" + id + "'");
        }
        if (secret.length != SECRET_BYTES) {
            throw new IllegalArgumentException(
                    "the secret of an encryption key must have " + SECRET_BYTES + " bytes, but has " + secret.length);
        }
        this.id = id;
        this.keys = new DerivedKeys(secret);
    }

    /** Whether the text may name a key. */
    public static boolean isId(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_ID
                && text.chars().allMatch(c -> c < 0x80 && (Character.isLetterOrDigit(c) || "_.-".indexOf(c) >= 0));
    }

    public String id() {
        return id;
    }

    byte[] idBytes() {
        return id.getBytes(StandardCharsets.US_ASCII);
    }

    /** The key for the one message that has these random bytes. */
    SecretKeySpec forMessage(byte[] salt) {
        return keys.derive(salt);
    }

    @Override
    public String toString() {
        return "encryption key " + id;
    }
}
