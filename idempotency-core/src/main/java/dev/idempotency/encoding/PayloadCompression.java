// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.encoding;

import dev.idempotency.store.Payload;
import dev.idempotency.store.UnreadableContentException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Makes large payloads smaller where that is worth it, with zlib at its fastest level, and never inflates more bytes than
 * its limit. Immutable; may be used from any thread.
 */
public final class PayloadCompression {

    /** First byte of everything compressed. */
    static final byte FORM = (byte) 0x81;

    /** Form and inflated length. */
    private static final int HEAD_BYTES = 1 + Integer.BYTES;

    /** What zlib can make of a byte at most (zlib's technical details: 1032 to 1), rounded up. */
    private static final long MAX_RATIO = 1040;

    private final int minBytes;
    private final int maxBytes;

    /**
     * A compression.
     *
     * @param minBytes fewest bytes worth the work, at least 1; {@link Integer#MAX_VALUE} compresses nothing
     * @param maxBytes most bytes that are compressed, and that anything compressed is inflated to; positive
     * @throws IllegalArgumentException if an argument breaks its rule
     */
    public PayloadCompression(int minBytes, int maxBytes) {
        if (minBytes < 1 || maxBytes < 1) {
            throw new IllegalArgumentException(
                    "minBytes and maxBytes must be positive, but are " + minBytes + " and " + maxBytes);
        }
        this.minBytes = minBytes;
        this.maxBytes = maxBytes;
    }

    static boolean isCompressed(Payload payload) {
        return payload.size() > 0 && payload.bytes()[0] == FORM;
    }

    /** The bytes compressed; {@code null} if they are too few, too many, or would not be fewer. */
    @Nullable
    Payload compress(Payload plain) {
        if (plain.size() < minBytes || plain.size() > maxBytes || plain.size() <= HEAD_BYTES) {
            return null;
        }
        byte[] out = new byte[plain.size()];
        ByteBuffer.wrap(out).put(FORM).putInt(plain.size());
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            deflater.setInput(plain.bytes());
            deflater.finish();
            int compressed = deflater.deflate(out, HEAD_BYTES, out.length - HEAD_BYTES);
            if (!deflater.finished()) {
                return null;
            }
            byte[] exact = new byte[HEAD_BYTES + compressed];
            System.arraycopy(out, 0, exact, 0, exact.length);
            return Payload.of(exact);
        } finally {
            deflater.end();
        }
    }

    /**
     * The bytes as they were.
     *
     * @throws UnreadableContentException if they are damaged, or were more than the limit
     */
    Payload decompress(Payload compressed) throws UnreadableContentException {
        if (compressed.size() < HEAD_BYTES) {
            throw damaged(compressed, null);
        }
        int size = ByteBuffer.wrap(compressed.bytes()).getInt(1);
        int deflated = compressed.size() - HEAD_BYTES;
        if (size <= 0 || size > deflated * MAX_RATIO) {
            throw damaged(compressed, null);
        }
        if (size > maxBytes) {
            throw new UnreadableContentException(
                    "compressed content has " + size + " bytes, but at most " + maxBytes + " are read", null);
        }
        byte[] plain = new byte[size];
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(compressed.bytes(), HEAD_BYTES, deflated);
            int inflated = inflater.inflate(plain);
            // Only one more call reaches the checksum behind the last byte.
            boolean more = !inflater.finished() && inflater.inflate(new byte[1]) > 0;
            if (inflated != size || more || !inflater.finished() || inflater.getRemaining() > 0) {
                throw damaged(compressed, null);
            }
            return Payload.of(plain);
        } catch (DataFormatException e) {
            throw damaged(compressed, e);
        } finally {
            inflater.end();
        }
    }

    private static UnreadableContentException damaged(Payload compressed, @Nullable Exception cause) {
        return new UnreadableContentException(
                "the " + compressed.size() + " bytes of compressed content are damaged", cause);
    }
}
