// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.store.Payload;
import dev.idempotency.store.StoredResponse;
import dev.idempotency.store.StoredResponse.Field;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A response whose body is held back until its record is durable. Status and headers go to the real response at once and
 * are noted beside it. A body over the bound is let through, after {@code beforeOverflow} has run; without one, it is held
 * back on disk.
 */
final class CapturedResponse extends DelegatingResponse {

    private static final String CONTENT_TYPE = "Content-Type";
    private static final String CONTENT_LENGTH = "Content-Length";
    private static final String TRANSFER_ENCODING = "Transfer-Encoding";

    private final ResponseBuffer buffer;
    private final @Nullable Runnable beforeOverflow;
    private final RecordedHeaders headers = new RecordedHeaders();
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;
    private @Nullable String writerCharset;
    private long declaredLength = -1;
    private int errorStatus;
    private boolean committed;
    private boolean passesThrough;
    private boolean discards;

    CapturedResponse(HttpServletResponse response, int maxBytes, @Nullable Runnable beforeOverflow) {
        super(response);
        this.buffer = new ResponseBuffer(maxBytes);
        this.beforeOverflow = beforeOverflow;
    }

    /** Whether the body is larger than what is kept. */
    boolean isTooLarge() {
        return passesThrough || buffer.isSpilled();
    }

    /** Whether {@code sendError} leaves the body to the container. */
    boolean isError() {
        return errorStatus != 0;
    }

    @Override
    public int getStatus() {
        return isError() ? errorStatus : super.getStatus();
    }

    /** Lets go of what the writer still holds, which may be what grows the body over the bound. */
    void finishWriting() {
        if (writer != null) {
            writer.flush();
        }
    }

    /** What is to be answered again, once writing is finished. */
    StoredResponse toStoredResponse() {
        List<Field> fields = new ArrayList<>();
        String contentType = getContentType();
        if (contentType != null) {
            fields.add(new Field(CONTENT_TYPE, contentType));
        }
        fields.addAll(headers.fields());
        return new StoredResponse(getStatus(), fields, Payload.of(buffer.toBytes((int) length())));
    }

    /** Forgets the whole answer, as far as it has not left. */
    void discard() {
        dispose();
        if (!super.isCommitted()) {
            super.reset();
        }
    }

    /** Nothing is to be sent any more. */
    void dispose() {
        discards = true;
        buffer.clear();
    }

    /** Sends what was held back, once writing is finished. */
    void send() throws IOException {
        if (passesThrough || isError()) {
            return;
        }
        long length = length();
        if (StoredAnswers.hasBody(getStatus())) {
            real().setContentLengthLong(length);
        }
        if (length > 0) {
            buffer.writeTo(real().getOutputStream(), length);
        }
    }

    /** Bytes of the body: a length that the handler has declared is where its answer ends, whatever it writes. */
    private long length() {
        return declaredLength < 0 ? buffer.size() : Math.min(declaredLength, buffer.size());
    }

    @Override
    public ServletOutputStream getOutputStream() {
        if (writer != null) {
            throw new IllegalStateException("getWriter() has been called for this response");
        }
        if (stream == null) {
            stream = newStream();
        }
        return stream;
    }

    @Override
    public PrintWriter getWriter() {
        if (stream != null) {
            throw new IllegalStateException("getOutputStream() has been called for this response");
        }
        if (writer == null) {
            // The encoding is fixed, and told in Content-Type, once a writer exists (Servlet 6.0, section 5.6).
            writerCharset = getCharacterEncoding();
            keepCharset();
            writer = new PrintWriter(new OutputStreamWriter(newStream(), Charset.forName(writerCharset)));
        }
        return writer;
    }

    private void write(byte[] source, int offset, int length) throws IOException {
        if (discards) {
            return;
        }
        if (!passesThrough && (beforeOverflow == null || buffer.hasRoomFor(length))) {
            buffer.append(source, offset, length);
            return;
        }
        if (!passesThrough && beforeOverflow != null) {
            beforeOverflow.run();
            passesThrough = true;
            if (declaredLength >= 0) {
                super.setContentLengthLong(declaredLength);
            }
            buffer.writeTo(super.getOutputStream(), buffer.size());
            buffer.clear();
        }
        super.getOutputStream().write(source, offset, length);
    }

    private SinkStream newStream() {
        return new SinkStream(this::write, this::flushThrough);
    }

    private void flushThrough() throws IOException {
        if (passesThrough) {
            super.flushBuffer();
        }
    }

    /** From the handler's view the answer is on its way; in truth it waits for its record. */
    @Override
    public void flushBuffer() throws IOException {
        finishWriting();
        committed = true;
        flushThrough();
    }

    @Override
    public boolean isCommitted() {
        return committed || super.isCommitted();
    }

    @Override
    public void reset() {
        requireUncommitted();
        super.reset();
        headers.clear();
        forgetBody();
        stream = null;
        writer = null;
        writerCharset = null;
    }

    @Override
    public void resetBuffer() {
        requireUncommitted();
        super.resetBuffer();
        forgetBody();
    }

    private void forgetBody() {
        discards = true;
        finishWriting();
        discards = false;
        buffer.clear();
        declaredLength = -1;
    }

    private void requireUncommitted() {
        if (isCommitted()) {
            throw new IllegalStateException("the response has been committed");
        }
    }

    @Override
    public void sendError(int status) throws IOException {
        requireUncommitted();
        super.sendError(status);
        error(status);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        requireUncommitted();
        super.sendError(status, message);
        error(status);
    }

    private void error(int status) {
        forgetBody();
        errorStatus = status;
        close();
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        requireUncommitted();
        super.sendRedirect(location);
        redirected(location, true);
    }

    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
        requireUncommitted();
        if (clearBuffer) {
            super.sendRedirect(location, status, true);
        } else {
            // The container would end the answer with its own buffer, in which nothing is.
            super.setStatus(status);
            super.setHeader("Location", location);
        }
        redirected(location, clearBuffer);
    }

    private void redirected(String location, boolean clearBuffer) {
        if (clearBuffer) {
            forgetBody();
        }
        String sent = super.getHeader("Location");
        headers.set("Location", sent == null ? location : sent);
        close();
    }

    /** The answer is finished: what is written from now on is ignored. */
    private void close() {
        finishWriting();
        committed = true;
        discards = true;
    }

    @Override
    public void setStatus(int status) {
        if (!isCommitted()) {
            super.setStatus(status);
        }
    }

    @Override
    public void setContentType(@Nullable String type) {
        if (!isCommitted()) {
            super.setContentType(type);
            keepCharset();
        }
    }

    @Override
    public void setCharacterEncoding(@Nullable String charset) {
        if (!isCommitted() && writer == null) {
            super.setCharacterEncoding(charset);
        }
    }

    @Override
    public void setCharacterEncoding(@Nullable Charset charset) {
        setCharacterEncoding(charset == null ? null : charset.name());
    }

    /** The container does not know of the writer, and would take another charset for the one that it encodes by. */
    private void keepCharset() {
        if (writerCharset != null) {
            super.setCharacterEncoding(writerCharset);
        }
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        if (!isCommitted()) {
            declaredLength = length;
        }
    }

    @Override
    public void addCookie(Cookie cookie) {
        if (!isCommitted()) {
            super.addCookie(cookie);
        }
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (isCommitted() || isFraming(name, value)) {
            return;
        }
        if (value != null && name.equalsIgnoreCase(CONTENT_TYPE)) {
            setContentType(value);
            return;
        }
        super.setHeader(name, value);
        if (value == null) {
            headers.remove(name);
        } else {
            headers.set(name, value);
        }
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        if (value == null || isCommitted() || isFraming(name, value)) {
            return;
        }
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            setContentType(value);
            return;
        }
        super.addHeader(name, value);
        headers.add(name, value);
    }

    /** The length is told from the bytes at the end, and the container alone decides on a transfer coding. */
    private boolean isFraming(String name, @Nullable String value) {
        if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
            declaredLength = length(value);
            return true;
        }
        return name.equalsIgnoreCase(TRANSFER_ENCODING);
    }

    private static long length(@Nullable String value) {
        try {
            return value == null ? -1 : Long.parseLong(value.strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    @Override
    public void setLocale(Locale locale) {
        if (!isCommitted()) {
            super.setLocale(locale);
            keepCharset();
            headers.set("Content-Language", locale.toLanguageTag());
        }
    }
}
