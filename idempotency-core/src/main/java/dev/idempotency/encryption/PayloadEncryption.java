// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.encryption;

import dev.idempotency.store.Payload;
import dev.idempotency.store.UnreadableContentException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts stored bytes with AES-256-GCM under a key of their own, derived as XAES-256-GCM (C2SP) does it, and
 * authenticates them together with the place that they belong to, so that nobody can change them or move them elsewhere.
 *
 * <p>Encrypts with the first key and decrypts with any, so that keys can be replaced. The 192 random bits of every message
 * keep it safe for 2^80 messages per key; plain AES-GCM with its 96 bits ends at 2^32. Its length is not hidden.
 *
 * <p>Immutable; may be used from any thread.
 */
public final class PayloadEncryption {

    /** First byte of everything encrypted, which nothing else that is stored begins with. */
    public static final byte FORM = (byte) 0x82;

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final int RANDOM_BYTES = DerivedKeys.SALT_BYTES + NONCE_BYTES;

    private final SecureRandom random = new SecureRandom();
    private final EncryptionKey current;
    private final Map<String, EncryptionKey> keys = new LinkedHashMap<>();

    /**
     * An encryption.
     *
     * @param keys the first encrypts, all decrypt; at least one, with different ids
     * @throws IllegalArgumentException if there is none, or an id comes twice
     */
    public PayloadEncryption(List<EncryptionKey> keys) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("encryption needs a key");
        }
        for (EncryptionKey key : keys) {
            if (this.keys.put(key.id(), key) != null) {
                throw new IllegalArgumentException("there are two encryption keys with the id " + key.id());
            }
        }
        this.current = keys.get(0);
    }

    /** Whether the bytes claim to have been encrypted by this class. */
    public static boolean isEncrypted(Payload payload) {
        return payload.size() > 0 && payload.bytes()[0] == FORM;
    }

    /**
     * Encrypts: form, length and text of the key's id, 24 random bytes, then the ciphertext and its 16-byte tag.
     *
     * @param context where the bytes belong, not stored; it takes the same context to decrypt them. Different kinds of
     *     places must not share contexts, so begin with the kind.
     */
    public Payload encrypt(Payload plain, byte[] context) {
        byte[] id = current.idBytes();
        int headBytes = 2 + id.length + RANDOM_BYTES;
        ByteBuffer out = ByteBuffer.allocate(headBytes + plain.size() + TAG_BYTES);
        byte[] randomness = new byte[RANDOM_BYTES];
        random.nextBytes(randomness);
        out.put(FORM).put((byte) id.length).put(id).put(randomness);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, current, randomness, context);
            cipher.doFinal(plain.bytes(), 0, plain.size(), out.array(), headBytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM is part of every Java platform", e);
        }
        return Payload.of(out.array());
    }

    /**
     * Decrypts.
     *
     * @param context the one that the bytes were encrypted with
     * @throws UnreadableContentException if they are not encrypted, damaged, belong to another context, or name a key that
     *     is not here; the message says which as far as it can be known
     */
    public Payload decrypt(Payload encrypted, byte[] context) throws UnreadableContentException {
        ByteBuffer in = ByteBuffer.wrap(encrypted.bytes());
        if (!isEncrypted(encrypted)) {
            throw new UnreadableContentException("content is not encrypted", null);
        }
        in.get();
        int idLength = in.hasRemaining() ? Byte.toUnsignedInt(in.get()) : 0;
        if (in.remaining() < idLength + RANDOM_BYTES + TAG_BYTES) {
            throw new UnreadableContentException(
                    "encrypted content ends too early, after " + encrypted.size() + " bytes", null);
        }
        byte[] id = new byte[idLength];
        in.get(id);
        EncryptionKey key = keys.get(new String(id, StandardCharsets.ISO_8859_1));
        if (key == null) {
            throw new UnreadableContentException("content is encrypted with a key that is not configured here", null);
        }
        byte[] randomness = new byte[RANDOM_BYTES];
        in.get(randomness);
        try {
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, randomness, context);
            return Payload.of(cipher.doFinal(in.array(), in.position(), in.remaining()));
        } catch (AEADBadTagException e) {
            throw new UnreadableContentException(
                    "encrypted content was changed, moved, or made with another secret of the id " + key.id(), e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM is part of every Java platform", e);
        }
    }

    private static Cipher cipher(int mode, EncryptionKey key, byte[] randomness, byte[] context)
            throws GeneralSecurityException {
        byte[] salt = new byte[DerivedKeys.SALT_BYTES];
        System.arraycopy(randomness, 0, salt, 0, salt.length);
        SecretKeySpec derived = key.forMessage(salt);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, derived, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, randomness, salt.length, NONCE_BYTES));
        cipher.updateAAD(context);
        return cipher;
    }

    /** The ids of the keys. */
    @Override
    public String toString() {
        return "encryption with " + current.id() + " of " + keys.keySet();
    }
}
