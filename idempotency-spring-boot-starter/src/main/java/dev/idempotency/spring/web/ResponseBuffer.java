// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Bytes of an answer, up to a bound. */
final class ResponseBuffer {

    private static final int FIRST_SIZE = 512;

    private final int maxBytes;
    private byte[] bytes = new byte[0];
    private int size;

    ResponseBuffer(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    boolean hasRoomFor(int more) {
        return more <= maxBytes - size;
    }

    void append(byte[] source, int offset, int length) {
        if (length > bytes.length - size) {
            int doubled = Math.max(FIRST_SIZE, 2 * bytes.length);
            bytes = Arrays.copyOf(bytes, Math.min(maxBytes, Math.max(doubled, size + length)));
        }
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    byte[] toBytes(int length) {
        return Arrays.copyOf(bytes, length);
    }

    void writeTo(OutputStream out, int length) throws IOException {
        out.write(bytes, 0, length);
    }
}
