// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A temporary file for what is too large for memory; gone when it is closed. No channel, which an interrupt of the thread
 * would close.
 */
final class SpillFile implements AutoCloseable {

    /** A gigabyte, as for every other bound of a message. */
    static final long MAX_BYTES = 1L << 30;

    private static final Logger log = LoggerFactory.getLogger(SpillFile.class);
    private static final int COPY_BYTES = 16 * 1024;

    private final Path path;
    private final RandomAccessFile file;
    private long size;

    private SpillFile(Path path) throws IOException {
        this.path = path;
        this.file = new RandomAccessFile(path.toFile(), "rw");
    }

    /** An empty file that only this user can read. */
    static SpillFile create() throws IOException {
        return new SpillFile(Files.createTempFile("idempotency-answer-", null));
    }

    void append(byte[] source, int offset, int length) throws IOException {
        if (length > MAX_BYTES - size) {
            throw new IOException("an answer that is held back until its transaction is over has at most " + MAX_BYTES
                    + " bytes on disk");
        }
        file.write(source, offset, length);
        size += length;
    }

    long size() {
        return size;
    }

    void writeTo(OutputStream out, long length) throws IOException {
        file.seek(0);
        byte[] copy = new byte[COPY_BYTES];
        for (long left = length; left > 0; ) {
            int read = (int) Math.min(left, copy.length);
            file.readFully(copy, 0, read);
            out.write(copy, 0, read);
            left -= read;
        }
        file.seek(size);
    }

    @Override
    public void close() {
        try {
            file.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            log.warn("A temporary file could not be deleted.", e);
        }
    }
}
