// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A request as it is written, header lines included: nothing is checked, corrected or left out. {@code Host} and, with a
 * body, {@code Content-Length} are added.
 *
 * @param path with query, appended to the target's prefix
 * @param headers lines of the form {@code Name: value}; each character is one byte (ISO 8859-1)
 * @param body not to be changed afterwards
 */
@SuppressWarnings("ArrayRecordComponent") // requests are never compared, and bodies are not copied
public record RawRequest(String method, String path, List<String> headers, byte[] body) {

    public RawRequest {
        headers = List.copyOf(headers);
    }

    /** A request without headers and body. */
    public static RawRequest of(String method, String path) {
        return new RawRequest(method, path, List.of(), new byte[0]);
    }

    /** The same with one more header line. */
    public RawRequest with(String name, String value) {
        List<String> lines = new ArrayList<>(headers);
        lines.add(name + ": " + value);
        return new RawRequest(method, path, lines, body);
    }

    /** The same with a body. */
    public RawRequest body(String contentType, byte[] content) {
        RawRequest typed = with("Content-Type", contentType);
        return new RawRequest(method, path, typed.headers, content);
    }

    /** The same with a text in UTF-8 as its body. */
    public RawRequest body(String contentType, String content) {
        return body(contentType, content.getBytes(StandardCharsets.UTF_8));
    }

    byte[] head(Target target) {
        StringBuilder head = new StringBuilder(256)
                .append(method)
                .append(' ')
                .append(target.prefix())
                .append(path)
                .append(" HTTP/1.1\r\nHost: ")
                .append(target.authority())
                .append("\r\n");
        for (String line : headers) {
            head.append(line).append("\r\n");
        }
        if (body.length > 0 || method.equals("POST") || method.equals("PUT") || method.equals("PATCH")) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
