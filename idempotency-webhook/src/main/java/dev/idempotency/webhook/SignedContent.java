// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which bytes are signed: literal text with the placeholders {@code {id}}, {@code {timestamp}}, {@code {url}} and
 * {@code {body}}, which stands for the raw bytes.
 */
final class SignedContent {

    static final String ID = "{id}";
    static final String TIMESTAMP = "{timestamp}";
    static final String URL = "{url}";
    static final String BODY = "{body}";

    private static final List<String> PLACEHOLDERS = List.of(ID, TIMESTAMP, URL, BODY);

    private final String template;
    private final List<String> parts = new ArrayList<>();

    private SignedContent(String template) {
        this.template = template;
    }

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException unless the body is in it once
     */
    static SignedContent parse(String template) {
        SignedContent content = new SignedContent(template);
        int start = 0;
        for (int i = 0; i < template.length(); ) {
            String placeholder = placeholder(template, i);
            if (placeholder.isEmpty()) {
                i++;
                continue;
            }
            content.add(template.substring(start, i));
            content.add(placeholder);
            i += placeholder.length();
            start = i;
        }
        content.add(template.substring(start));
        if (content.parts.stream().filter(BODY::equals).count() != 1) {
            throw new IllegalArgumentException("must contain {body} once");
        }
        return content;
    }

    private static String placeholder(String template, int start) {
        return PLACEHOLDERS.stream()
                .filter(placeholder -> template.startsWith(placeholder, start))
                .findAny()
                .orElse("");
    }

    private void add(String part) {
        if (!part.isEmpty()) {
            parts.add(part);
        }
    }

    boolean contains(String placeholder) {
        return parts.contains(placeholder);
    }

    /** The signed bytes, piece by piece. */
    List<byte[]> pieces(Map<String, String> values, byte[] body) {
        List<byte[]> pieces = new ArrayList<>(parts.size());
        for (String part : parts) {
            pieces.add(
                    part.equals(BODY) ? body : values.getOrDefault(part, part).getBytes(StandardCharsets.UTF_8));
        }
        return pieces;
    }

    @Override
    public String toString() {
        return template;
    }
}
