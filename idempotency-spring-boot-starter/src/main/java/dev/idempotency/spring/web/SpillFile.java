// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A temporary file for what is too large for memory; gone when it is closed. */
final class SpillFile implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SpillFile.class);

    private final FileChannel channel;
    private long size;

    private SpillFile(FileChannel channel) {
        this.channel = channel;
    }

    /** An empty file that only this user can read. */
    static SpillFile create() throws IOException {
        Path path = Files.createTempFile("idempotency-answer-", null);
        return new SpillFile(FileChannel.open(
                path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)));
    }

    void append(byte[] source, int offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(source, offset, length);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        size += length;
    }

    long size() {
        return size;
    }

    void writeTo(OutputStream out, long length) throws IOException {
        long position = 0;
        while (position < length) {
            position += channel.transferTo(position, length - position, Channels.newChannel(out));
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            log.warn("A temporary file could not be deleted.", e);
        }
    }
}
