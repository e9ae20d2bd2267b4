// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

import dev.idempotency.key.Sha256;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON text once: digests what it means, and picks out some of its values.
 *
 * <p>Two texts have the same digest only if they hold the same values: the order of members, white space, escapes, the
 * notation of numbers and a byte order mark make no difference; everything else does. Numbers are exact beyond 2^53.
 * Duplicate members all count, in their order. The digest of an object is that of its members' digests sorted by name,
 * so memory and time grow with the text only, whatever its shape. Holds settings only; may be used from any thread.
 */
public final class JsonScan {

    private static final Comparator<Member> BY_NAME = Comparator.comparing(Member::name);

    /** A level takes up to a kilobyte of stack, of which a thread has a megabyte, with a filter chain on it already. */
    private static final int MAX_DEPTH = 200;

    private final JsonTokenizer tokenizer;
    private final PointerTree ignored;
    private final PointerTree wanted;

    /**
     * A way to scan.
     *
     * @param tokenizer reads the text
     * @param ignored values that the digest leaves out, with their names if they are members
     * @param wanted values to pick out
     */
    public JsonScan(JsonTokenizer tokenizer, Collection<JsonPointer> ignored, Collection<JsonPointer> wanted) {
        this.tokenizer = tokenizer;
        this.ignored = PointerTree.of(ignored);
        this.wanted = PointerTree.of(wanted);
    }

    /** A value that was picked out. */
    public sealed interface Value {

        /** A string, a number (an integer as its digits, however it was written), or a boolean. */
        record Scalar(String text) implements Value {}

        /** A JSON null. */
        record Null() implements Value {}

        /** An object or array. */
        record Structure() implements Value {}
    }

    /**
     * Scans a text.
     *
     * @param digest takes in what stands for the text's meaning; of no use if the text turns out not to be JSON
     * @return per wanted pointer that was met, every value there, in the text's order
     * @throws MalformedJsonException if it is not JSON, is nested deeper than 200 levels, or exceeds the tokenizer's limits
     */
    public Map<JsonPointer, List<Value>> scan(byte[] json, MessageDigest digest) throws MalformedJsonException {
        try (JsonTokens tokens = tokenizer.tokens(json)) {
            Run run = new Run(tokens);
            for (JsonToken token = tokens.next(); token != JsonToken.END; token = tokens.next()) {
                run.value(token, digestIfCounted(digest, ignored), ignored, wanted);
            }
            return run.values;
        }
    }

    private static boolean isCounted(@Nullable PointerTree ignored) {
        return ignored == null || ignored.end() == null;
    }

    /** The digest, or one that is thrown away if the value is left out. */
    private static MessageDigest digestIfCounted(MessageDigest digest, @Nullable PointerTree ignored) {
        return isCounted(ignored) ? digest : Sha256.newDigest();
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Member(String name, byte[] digest) {}

    /** One pass over one text. */
    private static final class Run {

        private final JsonTokens tokens;
        private final Map<JsonPointer, List<Value>> values = new HashMap<>();
        private int depth;

        Run(JsonTokens tokens) {
            this.tokens = tokens;
        }

        void value(JsonToken token, MessageDigest digest, @Nullable PointerTree ignored, @Nullable PointerTree wanted)
                throws MalformedJsonException {
            digest.update(tag(token));
            Value picked = switch (token) {
                case START_OBJECT, START_ARRAY -> structure(token, digest, ignored, wanted);
                case STRING -> scalar(tokens.text(), digest);
                case NUMBER -> number(JsonNumbers.canonical(tokens.text()), digest);
                case TRUE -> new Value.Scalar("true");
                case FALSE -> new Value.Scalar("false");
                case NULL -> new Value.Null();
                default -> throw new MalformedJsonException("a value was expected", null);
            };
            if (wanted != null && wanted.end() != null) {
                values.computeIfAbsent(wanted.end(), pointer -> new ArrayList<>())
                        .add(picked);
            }
        }

        private Value structure(
                JsonToken token, MessageDigest digest, @Nullable PointerTree ignored, @Nullable PointerTree wanted)
                throws MalformedJsonException {
            depth++;
            if (depth > MAX_DEPTH) {
                throw new MalformedJsonException("nested deeper than " + MAX_DEPTH, null);
            }
            Value structure =
                    token == JsonToken.START_OBJECT ? object(digest, ignored, wanted) : array(digest, ignored, wanted);
            depth--;
            return structure;
        }

        private Value object(MessageDigest digest, @Nullable PointerTree ignored, @Nullable PointerTree wanted)
                throws MalformedJsonException {
            List<Member> members = new ArrayList<>();
            for (JsonToken token = tokens.next(); token != JsonToken.END_OBJECT; token = tokens.next()) {
                if (token != JsonToken.NAME) {
                    throw new MalformedJsonException("a name or the end of an object was expected", null);
                }
                String name = tokens.text();
                MessageDigest member = Sha256.newDigest();
                PointerTree ignoredMember = child(ignored, name);
                value(tokens.next(), member, ignoredMember, child(wanted, name));
                if (isCounted(ignoredMember)) {
                    members.add(new Member(name, member.digest()));
                }
            }
            members.sort(BY_NAME);
            Sha256.updateInt(digest, members.size());
            for (Member member : members) {
                Sha256.updateText(digest, member.name());
                digest.update(member.digest());
            }
            return new Value.Structure();
        }

        private Value array(MessageDigest digest, @Nullable PointerTree ignored, @Nullable PointerTree wanted)
                throws MalformedJsonException {
            int index = 0;
            for (JsonToken token = tokens.next(); token != JsonToken.END_ARRAY; token = tokens.next()) {
                PointerTree ignoredElement = ignored == null ? null : child(ignored, Integer.toString(index));
                PointerTree wantedElement = wanted == null ? null : child(wanted, Integer.toString(index));
                value(token, digestIfCounted(digest, ignoredElement), ignoredElement, wantedElement);
                index++;
            }
            digest.update(tag(JsonToken.END_ARRAY));
            return new Value.Structure();
        }

        private static byte tag(JsonToken token) {
            return (byte)
                    switch (token) {
                        case START_OBJECT -> '{';
                        case START_ARRAY -> '[';
                        case END_ARRAY -> ']';
                        case STRING -> '"';
                        case NUMBER -> '0';
                        case TRUE -> 't';
                        case FALSE -> 'f';
                        case NULL -> 'n';
                        case END_OBJECT, NAME, END -> '?';
                    };
        }

        private static Value number(String canonical, MessageDigest digest) {
            Sha256.updateText(digest, canonical);
            return new Value.Scalar(JsonNumbers.plain(canonical));
        }

        private static Value scalar(String text, MessageDigest digest) {
            Sha256.updateText(digest, text);
            return new Value.Scalar(text);
        }

        private static @Nullable PointerTree child(@Nullable PointerTree tree, String segment) {
            return tree == null ? null : tree.child(segment);
        }
    }
}
