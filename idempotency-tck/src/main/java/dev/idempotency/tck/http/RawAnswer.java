// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * An answer as it was read.
 *
 * @param headers lines of the form {@code Name: value}, in their order
 * @param body without its transfer coding, but with its content coding; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // answers are never compared as a whole, and bodies are not copied
public record RawAnswer(int status, List<String> headers, byte[] body) {

    public RawAnswer {
        headers = List.copyOf(headers);
    }

    /** The values of all lines with that name, whatever its case. */
    public List<String> all(String name) {
        return headers.stream()
                .filter(line -> line.length() > name.length()
                        && line.charAt(name.length()) == ':'
                        && line.regionMatches(true, 0, name, 0, name.length()))
                .map(line -> line.substring(name.length() + 1).strip())
                .toList();
    }

    /** The value of the first line with that name. */
    public Optional<String> first(String name) {
        return all(name).stream().findFirst();
    }

    /** The body as text in UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Whether the status is 2xx. */
    public boolean success() {
        return status / 100 == 2;
    }
}
