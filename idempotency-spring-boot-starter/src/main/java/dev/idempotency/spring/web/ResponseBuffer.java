// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes of an answer, up to a bound in memory and beyond it on disk. */
final class ResponseBuffer {

    private static final int FIRST_SIZE = 512;

    private final int maxBytes;
    private byte[] bytes = new byte[0];
    private int size;
    private @Nullable SpillFile spilled;

    ResponseBuffer(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Whether so many more bytes stay in memory. */
    boolean hasRoomFor(int more) {
        return spilled == null && more <= maxBytes - size;
    }

    boolean isSpilled() {
        return spilled != null;
    }

    void append(byte[] source, int offset, int length) throws IOException {
        if (!hasRoomFor(length)) {
            spill(source, offset, length);
            return;
        }
        if (length > bytes.length - size) {
            int doubled = Math.max(FIRST_SIZE, 2 * bytes.length);
            bytes = Arrays.copyOf(bytes, Math.min(maxBytes, Math.max(doubled, size + length)));
        }
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    private void spill(byte[] source, int offset, int length) throws IOException {
        SpillFile file = spilled;
        if (file == null) {
            file = SpillFile.create();
            spilled = file;
        }
        file.append(source, offset, length);
    }

    long size() {
        return spilled == null ? size : size + spilled.size();
    }

    void clear() {
        size = 0;
        if (spilled != null) {
            spilled.close();
            spilled = null;
        }
    }

    /** The first bytes, of those in memory. */
    byte[] toBytes(int length) {
        return Arrays.copyOf(bytes, length);
    }

    void writeTo(OutputStream out, long length) throws IOException {
        int fromMemory = (int) Math.min(size, length);
        out.write(bytes, 0, fromMemory);
        if (spilled != null) {
            spilled.writeTo(out, length - fromMemory);
        }
    }
}
