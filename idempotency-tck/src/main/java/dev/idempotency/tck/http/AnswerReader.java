// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads one answer, framed as RFC 9112, section 6, says. */
final class AnswerReader {

    private static final int MAX_LINE = 65_536;
    private static final int MAX_LINES = 1_000;
    private static final int MAX_BODY = 16 * 1024 * 1024;

    private final InputStream in;

    AnswerReader(InputStream in) {
        this.in = in;
    }

    /** An answer, and whether the connection is good for another one. */
    record Read(RawAnswer answer, boolean reusable) {}

    Read read(String method) throws IOException {
        RawAnswer head = head();
        while (head.status() / 100 == 1) { // interim answers, RFC 9110, section 15.2
            head = head();
        }
        boolean open = head.all("Connection").stream().noneMatch(value -> value.equalsIgnoreCase("close"));
        if (method.equals("HEAD") || head.status() == 204 || head.status() == 304) {
            return new Read(head, open);
        }
        if (head.all("Transfer-Encoding").stream()
                .anyMatch(value -> value.toLowerCase(Locale.ROOT).endsWith("chunked"))) {
            return new Read(new RawAnswer(head.status(), head.headers(), chunks()), open);
        }
        if (head.first("Content-Length").isPresent()) {
            int length = number(head.first("Content-Length").orElseThrow(), 10);
            return new Read(new RawAnswer(head.status(), head.headers(), exactly(length)), open);
        }
        byte[] rest = in.readNBytes(MAX_BODY + 1);
        if (rest.length > MAX_BODY) {
            throw tooLong();
        }
        return new Read(new RawAnswer(head.status(), head.headers(), rest), false);
    }

    private RawAnswer head() throws IOException {
        String statusLine = line();
        if (!statusLine.startsWith("HTTP/1.") || statusLine.length() < 12) {
            throw new IOException("no answer of HTTP/1.1, but " + statusLine);
        }
        int status = number(statusLine.substring(9, 12), 10);
        List<String> headers = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (headers.size() == MAX_LINES) {
                throw new IOException("the answer has more than " + MAX_LINES + " header lines");
            }
            headers.add(line);
        }
        return new RawAnswer(status, headers, new byte[0]);
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String size = line();
            int extension = size.indexOf(';');
            int length = number((extension < 0 ? size : size.substring(0, extension)).strip(), 16);
            if (length == 0) {
                while (!line().isEmpty()) {
                    // trailers are of no interest
                }
                return body.toByteArray();
            }
            if (body.size() + (long) length > MAX_BODY) {
                throw tooLong();
            }
            body.writeBytes(exactly(length));
            if (!line().isEmpty()) {
                throw new IOException("a chunk of the answer is longer than it says");
            }
        }
    }

    private byte[] exactly(int length) throws IOException {
        if (length > MAX_BODY) {
            throw tooLong();
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the server hung up after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(128);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException(
                        line.size() == 0 ? "the server hung up" : "the server hung up in the middle of its answer");
            }
            if (line.size() == MAX_LINE) {
                throw tooLong();
            }
            line.write(next);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private static int number(String digits, int radix) throws IOException {
        try {
            int number = Integer.parseInt(digits.strip(), radix);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IOException("not a number in the answer's framing: " + digits, e);
        }
        throw new IOException("a negative number in the answer's framing: " + digits);
    }

    private static IOException tooLong() {
        return new IOException("the answer is longer than this kit reads");
    }
}
