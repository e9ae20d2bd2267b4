// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.encryption.EncryptionKey;
import dev.idempotency.encryption.PayloadEncryption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Encryption of what is stored of requests and answers.
 *
 * @param keys Keys of AES-256. The first encrypts, all decrypt; without any nothing is encrypted.
 * @param acceptUnencrypted Whether records that are not encrypted are read all the same, as those from before the first
 *     key. While it is true, whoever can write to the store can make up answers.
 */
public record EncryptionProperties(
        @DefaultValue List<Key> keys, @DefaultValue("false") boolean acceptUnencrypted) {

    public EncryptionProperties {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < keys.size(); i++) {
            Key key = keys.get(i);
            String property = "encryption.keys[" + i + "].";
            Rule.property(property + "id")
                    .holds(
                            key.id() != null && EncryptionKey.isId(key.id()),
                            "must have 1 to " + EncryptionKey.MAX_ID + " characters of A-Z a-z 0-9 _ . -",
                            key.id());
            Rule.property(property + "id").holds(ids.add(key.id()), "must be given once", key.id());
            int bytes = key.secretBytes().length;
            Rule.property(property + "secret")
                    .holds(
                            bytes == EncryptionKey.SECRET_BYTES,
                            "must be " + EncryptionKey.SECRET_BYTES + " bytes in Base64",
                            bytes == 0 ? "not" : "one of " + bytes + " bytes");
        }
    }

    /** The encryption, which there must be a key for. */
    PayloadEncryption newEncryption() {
        List<EncryptionKey> all = new ArrayList<>();
        keys.forEach(key -> all.add(new EncryptionKey(String.valueOf(key.id()), key.secretBytes())));
        return new PayloadEncryption(all);
    }

    /**
     * A key.
     *
     * @param id Name of the key, which is stored with what it encrypts and must never name another secret.
     * @param secret Random 32 bytes in Base64, such as those of openssl rand -base64 32.
     */
    public record Key(@Nullable String id, @Nullable String secret) {

        private static final byte[] NONE = new byte[0];

        /** Nothing if the text is no Base64. */
        byte[] secretBytes() {
            try {
                return secret == null ? NONE : Base64.getDecoder().decode(secret.strip());
            } catch (IllegalArgumentException e) {
                return NONE;
            }
        }

        /** The name alone. */
        @Override
        public String toString() {
            return "key " + id;
        }
    }
}
