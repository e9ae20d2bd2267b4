// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.WebUtils;

/**
 * A request whose body has been read once, here, and can be read again by the handler as if nothing had happened: as a
 * stream, as text, or as form parameters. A multipart body stays with the container, which keeps its parts.
 */
public class BufferedRequest extends HttpServletRequestWrapper {

    private final String mediaType;
    private final boolean multipart;
    private final boolean signed;
    private final boolean formIsRead;
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
        this(request, maxBytes, takesParts, false);
    }

    private BufferedRequest(HttpServletRequest request, int maxBytes, boolean takesParts, boolean signed)
            throws IOException, InvalidRequestException {
        super(request);
        this.maxBytes = maxBytes;
        this.signed = signed;
        formIsRead = WebUtils.getNativeRequest(request, BufferedRequest.class) != null;
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

    /**
     * A request whose body is signed, to the last byte, while its query string is not: a parameter of the body hides those of
     * the query that have its name, and a multipart body is not taken apart.
     *
     * @throws InvalidRequestException if the body has more than {@code maxBytes}
     */
    public static BufferedRequest ofSigned(HttpServletRequest request, int maxBytes)
            throws IOException, InvalidRequestException {
        return new BufferedRequest(request, maxBytes, false, true);
    }

    /** The request, read; not once more if this was done before and nothing stands between. */
    public static BufferedRequest of(HttpServletRequest request, int maxBytes, boolean takesParts)
            throws IOException, InvalidRequestException {
        return request instanceof BufferedRequest read
                ? new BufferedRequest(read)
                : new BufferedRequest(request, maxBytes, takesParts);
    }

    /** The same request, to be read from the start again. */
    public BufferedRequest(BufferedRequest read) {
        super((HttpServletRequest) read.getRequest());
        signed = read.signed;
        formIsRead = read.formIsRead;
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

    /** Whether the container would take parameters from the body, and nobody has done so. */
    boolean hasFormBody() {
        return body.length > 0
                && !formIsRead
                && MediaTypes.isForm(mediaType)
                && getMethod().equals("POST");
    }

    /** The values of a parameter in the body, whatever the query string says; empty if there are none. */
    public List<String> formValues(String name) {
        return MediaTypes.isForm(mediaType) ? form().getOrDefault(name, List.of()) : List.of();
    }

    private Map<String, List<String>> form() {
        if (form == null) {
            form = FormParameters.parse(body, charset());
        }
        return form;
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

    /** Of a signed body there are none: the container would take them from what it can read no more. */
    @Override
    public Collection<Part> getParts() throws IOException, ServletException {
        return signed ? List.of() : super.getParts();
    }

    @Override
    public @Nullable Part getPart(String name) throws IOException, ServletException {
        return signed ? null : super.getPart(name);
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
        // Merged anew each time: during a forward there are those of its query string besides.
        Map<String, String[]> merged = new LinkedHashMap<>(super.getParameterMap());
        form().forEach((name, values) -> merged.merge(name, values.toArray(new String[0]), this::merge));
        return Collections.unmodifiableMap(merged);
    }

    /** Values of the query string come before those of the body (Servlet 6.0, section 3.1), if they come at all. */
    private String[] merge(String[] query, String[] form) {
        return signed ? form : join(query, form);
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
