// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.encoding;

import dev.idempotency.encryption.PayloadEncryption;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.UnreadableContentException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The form in which payloads lie in a store, told by their first byte: below 0x80 the payload is as it was, and its first
 * byte is its own; from 0x80 on the byte names a form, behind which it is whole (0x80), compressed (0x81) or encrypted (0x82).
 * What is encrypted was compressed before. An empty payload that is not encrypted stays empty.
 */
final class StoredForm {

    private static final byte WHOLE = (byte) 0x80;
    private static final byte[] RECORD = "record".getBytes(StandardCharsets.US_ASCII);

    private final PayloadCompression compression;
    private final @Nullable PayloadEncryption encryption;
    private final boolean acceptUnencrypted;

    StoredForm(PayloadCompression compression, @Nullable PayloadEncryption encryption, boolean acceptUnencrypted) {
        this.compression = compression;
        this.encryption = encryption;
        this.acceptUnencrypted = acceptUnencrypted;
    }

    Payload encode(Payload payload, RecordKey key, OwnerToken owner) {
        Payload compressed = compression.compress(payload);
        Payload formed = compressed == null ? escaped(payload) : compressed;
        return encryption == null ? formed : encryption.encrypt(formed, context(key, owner));
    }

    Payload decode(Payload stored, RecordKey key, OwnerToken owner) throws UnreadableContentException {
        if (!PayloadEncryption.isEncrypted(stored)) {
            if (encryption != null && !acceptUnencrypted) {
                throw new UnreadableContentException("content is not encrypted, but must be", null);
            }
            return unformed(stored);
        }
        if (encryption == null) {
            throw new UnreadableContentException("content is encrypted, but no key is configured", null);
        }
        return unformed(encryption.decrypt(stored, context(key, owner)));
    }

    private static Payload escaped(Payload payload) {
        if (payload.size() == 0 || payload.bytes()[0] >= 0) {
            return payload;
        }
        return Payload.of(ByteBuffer.allocate(1 + payload.size())
                .put(WHOLE)
                .put(payload.bytes())
                .array());
    }

    private Payload unformed(Payload formed) throws UnreadableContentException {
        if (formed.size() == 0 || formed.bytes()[0] >= 0) {
            return formed;
        }
        if (PayloadCompression.isCompressed(formed)) {
            return compression.decompress(formed);
        }
        if (formed.bytes()[0] == WHOLE) {
            byte[] whole = new byte[formed.size() - 1];
            System.arraycopy(formed.bytes(), 1, whole, 0, whole.length);
            return Payload.of(whole);
        }
        throw new UnreadableContentException("unknown form " + Byte.toUnsignedInt(formed.bytes()[0]), null);
    }

    /** The record and the claim that wrote it: an older answer of the same key is not taken for this one's either. */
    private static byte[] context(RecordKey key, OwnerToken owner) {
        byte[] digest = key.toBytes();
        return ByteBuffer.allocate(RECORD.length + digest.length + OwnerToken.BYTES)
                .put(RECORD)
                .put(digest)
                .putLong(owner.high())
                .putLong(owner.low())
                .array();
    }
}
