// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** An output stream of a response that takes whatever is written at once. */
final class SinkStream extends ServletOutputStream {

    private final Sink sink;
    private final Flush flush;

    /** Takes bytes. */
    @FunctionalInterface
    interface Sink {
        void write(byte[] source, int offset, int length) throws IOException;
    }

    /** Sends on what was taken, if that may be. */
    @FunctionalInterface
    interface Flush {
        void flush() throws IOException;
    }

    SinkStream(Sink sink, Flush flush) {
        this.sink = sink;
        this.flush = flush;
    }

    @Override
    public void write(int b) throws IOException {
        sink.write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        sink.write(source, offset, length);
    }

    @Override
    public void flush() throws IOException {
        flush.flush();
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        try {
            listener.onWritePossible();
        } catch (IOException e) {
            listener.onError(e);
        }
    }
}
