// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body has been read once, here, and can be read again by the handler as if nothing had happened: as a
 * stream, as text, or as form parameters. A multipart body stays with the container, which keeps its parts.
 */
public class BufferedRequest extends HttpServletRequestWrapper {

    private final String mediaType;
    private final boolean multipart;
    private final int maxBytes;
    private final byte[] body;
    private @Nullable ServletInputStream stream;
    private @Nullable BufferedReader reader;
    private @Nullable Map<String, List<String>> form;

    /**
     * Reads the body.
     *
     * @param maxBytes most bytes to accept
     * @param takesParts whether the container takes a multipart body apart for the servlet that will get it
     * @throws InvalidRequestException if the body is longer
     */
    public BufferedRequest(HttpServletRequest request, int maxBytes, boolean takesParts)
            throws IOException, InvalidRequestException {
        super(request);
        this.maxBytes = maxBytes;
        mediaType = MediaTypes.essence(request.getContentType());
        multipart = takesParts && MediaTypes.isMultipart(mediaType);
        if (!multipart) {
            body = RequestBody.read(request, maxBytes);
        } else if (request.getContentLengthLong() <= maxBytes) {
            body = new byte[0];
        } else {
            throw RequestBody.tooLarge(maxBytes);
        }
    }

    /** The same request, to be read from the start again. */
    public BufferedRequest(BufferedRequest read) {
        super((HttpServletRequest) read.getRequest());
        maxBytes = read.maxBytes;
        mediaType = read.mediaType;
        multipart = read.multipart;
        body = read.body;
    }

    /** The body's bytes, not a copy; none if it is multipart. */
    public byte[] body() {
        return body;
    }

    /** Type and subtype of the body in lower case; empty if the request does not say. */
    public String mediaType() {
        return mediaType;
    }

    /** Whether the body consists of parts, which the container has. */
    public boolean isMultipart() {
        return multipart;
    }

    /** Whether the content type says JSON. */
    public boolean isJson() {
        return MediaTypes.isJson(mediaType);
    }

    /** Refuses parts that come to more than the bound; of a chunked body it is known no sooner. */
    void requireWithinBound(long bytes) throws InvalidRequestException {
        if (bytes > maxBytes) {
            throw RequestBody.tooLarge(maxBytes);
        }
    }

    /** Whether the container would take parameters from the body. */
    boolean hasFormBody() {
        return body.length > 0 && MediaTypes.isForm(mediaType) && getMethod().equals("POST");
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (isMultipart()) {
            return super.getInputStream();
        }
        if (reader != null) {
            throw new IllegalStateException("getReader() has been called for this request");
        }
        if (stream == null) {
            stream = new BodyStream(body);
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (isMultipart()) {
            return super.getReader();
        }
        if (stream != null) {
            throw new IllegalStateException("getInputStream() has been called for this request");
        }
        if (reader == null) {
            String encoding = getCharacterEncoding();
            reader = new BufferedReader(new InputStreamReader(
                    new ByteArrayInputStream(body), encoding == null ? StandardCharsets.ISO_8859_1.name() : encoding));
        }
        return reader;
    }

    /** The charset of parameters; containers do not refuse one that they do not know. */
    private Charset charset() {
        String encoding = getCharacterEncoding();
        try {
            return encoding == null ? StandardCharsets.ISO_8859_1 : Charset.forName(encoding);
        } catch (IllegalArgumentException e) {
            return StandardCharsets.ISO_8859_1;
        }
    }

    @Override
    public @Nullable String getParameter(String name) {
        if (!hasFormBody()) {
            return super.getParameter(name);
        }
        String[] values = getParameterMap().get(name);
        return values == null ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return hasFormBody() ? getParameterMap().get(name) : super.getParameterValues(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return hasFormBody() ? Collections.enumeration(getParameterMap().keySet()) : super.getParameterNames();
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        if (!hasFormBody()) {
            return super.getParameterMap();
        }
        if (form == null) {
            form = FormParameters.parse(body, charset());
        }
        // Merged anew each time: during a forward there are those of its query string besides.
        return merge(super.getParameterMap(), form);
    }

    /** Values of the query string come before those of the body (Servlet 6.0, section 3.1). */
    private static Map<String, String[]> merge(Map<String, String[]> query, Map<String, List<String>> form) {
        Map<String, String[]> merged = new LinkedHashMap<>(query);
        form.forEach((name, values) -> merged.merge(name, values.toArray(new String[0]), BufferedRequest::join));
        return Collections.unmodifiableMap(merged);
    }

    private static String[] join(String[] first, String[] second) {
        String[] joined = new String[first.length + second.length];
        System.arraycopy(first, 0, joined, 0, first.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    /** Everything is there at once, so a listener hears of it at once. */
    private static final class BodyStream extends ServletInputStream {

        private final ByteArrayInputStream in;

        BodyStream(byte[] body) {
            in = new ByteArrayInputStream(body);
        }

        @Override
        public int read() {
            return in.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return in.read(target, offset, length);
        }

        @Override
        public int available() {
            return in.available();
        }

        @Override
        public boolean isFinished() {
            return in.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            try {
                if (!isFinished()) {
                    listener.onDataAvailable();
                }
                listener.onAllDataRead();
            } catch (IOException e) {
                throw new UncheckedIOException("the read listener failed", e);
            }
        }
    }
}
