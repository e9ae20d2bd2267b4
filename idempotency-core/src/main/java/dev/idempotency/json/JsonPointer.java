// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

import java.util.ArrayList;
import java.util.List;

/**
 * A JSON pointer (RFC 6901).
 *
 * @param segments names and array indexes from the root, unescaped; none for the whole document
 */
public record JsonPointer(List<String> segments) {

    public JsonPointer {
        segments = List.copyOf(segments);
    }

    /**
     * Reads a pointer.
     *
     * @throws IllegalArgumentException unless it is empty or starts with a slash, and every {@code ~} is followed by 0 or 1
     */
    public static JsonPointer parse(String pointer) {
        List<String> segments = new ArrayList<>();
        if (!pointer.isEmpty() && pointer.charAt(0) != '/') {
            throw new IllegalArgumentException("a JSON pointer must start with '/', but is '" + pointer + "'");
        }
        for (int start = 1; start <= pointer.length(); ) {
            int end = pointer.indexOf('/', start);
            if (end < 0) {
                end = pointer.length();
            }
            segments.add(unescape(pointer, start, end));
            start = end + 1;
        }
        return new JsonPointer(segments);
    }

    private static String unescape(String pointer, int start, int end) {
        StringBuilder segment = new StringBuilder(end - start);
        for (int i = start; i < end; i++) {
            char c = pointer.charAt(i);
            if (c == '~') {
                i++;
                char escaped = i < end ? pointer.charAt(i) : ' ';
                if (escaped != '0' && escaped != '1') {
                    throw new IllegalArgumentException(
                            "in a JSON pointer '~' must be followed by 0 or 1, but it is '" + pointer + "'");
                }
                c = escaped == '0' ? '~' : '/';
            }
            segment.append(c);
        }
        return segment.toString();
    }

    /** The pointer as {@link #parse} reads it. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (String segment : segments) {
            text.append('/').append(segment.replace("~", "~0").replace("/", "~1"));
        }
        return text.toString();
    }
}
