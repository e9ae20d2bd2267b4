// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

import dev.idempotency.store.Payload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Replaces values of JSON texts by {@value #REPLACEMENT}. May be used from any thread. */
public final class JsonRedactor {

    /** What stands in the place of a value that was replaced, as a string. */
    public static final String REPLACEMENT = "[redacted]";

    private final JsonTokenizer tokenizer;
    private final PointerTree pointers;

    /**
     * A redactor.
     *
     * @param pointers of the values to replace, of whatever type
     */
    public JsonRedactor(JsonTokenizer tokenizer, Collection<JsonPointer> pointers) {
        this.tokenizer = tokenizer;
        this.pointers = PointerTree.of(pointers);
    }

    /**
     * A text without the values.
     *
     * @param json the very text that was given, if none of the values is in it; otherwise a text in UTF-8 without white space
     * @param replaced pointers of the values that were in it, in their order
     */
    public record Redacted(Payload json, List<JsonPointer> replaced) {}

    /** Replaces the values. */
    public Redacted redact(byte[] json) throws MalformedJsonException {
        try (JsonTokens tokens = tokenizer.tokens(json)) {
            Copy copy = new Copy(tokens);
            copy.value(tokens.next(), pointers);
            if (tokens.next() != JsonToken.END) {
                throw new MalformedJsonException("more than one JSON value", null);
            }
            return copy.replaced.isEmpty()
                    ? new Redacted(Payload.of(json), List.of())
                    : new Redacted(
                            Payload.of(copy.out.toString().getBytes(StandardCharsets.UTF_8)),
                            List.copyOf(copy.replaced));
        }
    }

    private static final class Copy {

        private final JsonTokens tokens;
        private final StringBuilder out = new StringBuilder();
        private final List<JsonPointer> replaced = new ArrayList<>();

        Copy(JsonTokens tokens) {
            this.tokens = tokens;
        }

        void value(JsonToken first, @Nullable PointerTree at) throws MalformedJsonException {
            JsonPointer end = at == null ? null : at.end();
            if (end != null) {
                skip(first);
                replaced.add(end);
                quote(REPLACEMENT);
                return;
            }
            switch (first) {
                case START_OBJECT -> object(at);
                case START_ARRAY -> array(at);
                case STRING -> quote(tokens.text());
                case NUMBER -> out.append(tokens.text());
                case TRUE -> out.append("true");
                case FALSE -> out.append("false");
                case NULL -> out.append("null");
                default -> throw new MalformedJsonException("no JSON value", null);
            }
        }

        private void object(@Nullable PointerTree at) throws MalformedJsonException {
            char before = '{';
            JsonToken token = tokens.next();
            for (; token == JsonToken.NAME; token = tokens.next()) {
                String name = tokens.text();
                out.append(before);
                quote(name);
                out.append(':');
                value(tokens.next(), at == null ? null : at.child(name));
                before = ',';
            }
            out.append(before == '{' ? "{}" : "}");
        }

        private void array(@Nullable PointerTree at) throws MalformedJsonException {
            int index = 0;
            JsonToken token = tokens.next();
            for (; token != JsonToken.END_ARRAY && token != JsonToken.END; token = tokens.next()) {
                out.append(index == 0 ? '[' : ',');
                value(token, at == null ? null : at.child(Integer.toString(index)));
                index++;
            }
            out.append(index == 0 ? "[]" : "]");
        }

        private void skip(JsonToken first) throws MalformedJsonException {
            int depth = 0;
            for (JsonToken token = first; ; token = tokens.next()) {
                switch (token) {
                    case START_OBJECT, START_ARRAY -> depth++;
                    case END_OBJECT, END_ARRAY -> depth--;
                    case END -> throw new MalformedJsonException("no JSON value", null);
                    default -> {}
                }
                if (depth == 0) {
                    return;
                }
            }
        }

        private void quote(String text) {
            JsonText.quote(out, text);
        }
    }
}
