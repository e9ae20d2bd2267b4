// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.json.JsonScan.Value;
import dev.idempotency.key.Sha256;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonScanTest {

    private static final JsonTokenizer JACKSON = new JacksonTokenizer();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,\"b\":{\"c\":2,\"d\":3}} | { \"b\":{\"d\":3,\"c\":2}, \"a\":1 }",
                "{\"a\":[1,2]} | {\"a\" : [ 1 ,\t2 ] }",
                "\"caf\\u00e9\" | \"café\"",
                "\"\\/\" | \"/\"",
                "{\"\\u0061\":1} | {\"a\":1}",
                "\"\\ud83d\\ude00\" | \"😀\"",
                "[1,2.50,100] | [1.0,2.5,1e2]",
                "{\"a\":1,\"b\":0,\"a\":2} | {\"b\":0,\"a\":1,\"a\":2}",
                "[true,false,null] | [ true, false, null ]",
            })
    void textsOfTheSameMeaningHaveTheSameDigest(String one, String other) throws Exception {
        assertThat(digest(one)).isEqualTo(digest(other));
    }

    @Test
    void noTwoTextsOfDifferentMeaningHaveTheSameDigest() throws Exception {
        List<String> texts = List.of(
                "",
                "{}",
                "[]",
                "null",
                "true",
                "false",
                "0",
                "-0",
                "1",
                "-1",
                "\"\"",
                "\"1\"",
                "\"true\"",
                "\"null\"",
                "\"a\"",
                "\"A\"",
                "\" a\"",
                "\"é\"",
                "\"e\u0301\"",
                "\"\\u0000\"",
                "[null]",
                "[[]]",
                "[{}]",
                "[[],[]]",
                "[[[]]]",
                "[1,2]",
                "[2,1]",
                "[12]",
                "[[1],2]",
                "[[1,2]]",
                "[1,[2]]",
                "[[1],[2]]",
                "1 2",
                "[1] 2",
                "1 [2]",
                "[1] [2]",
                "[\"a\",\"b\"]",
                "[\"ab\"]",
                "[\"a\",\"b\",\"\"]",
                "{\"a\":[]}",
                "{\"a\":{}}",
                "{\"a\":null}",
                "{\"a\":\"\"}",
                "{\"\":\"a\"}",
                "{\"a\":1}",
                "{\"a\":2}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":2,\"a\":1}",
                "{\"a\":2,\"a\":2}",
                "{\"a\":1,\"b\":2}",
                "{\"a\":2,\"b\":1}",
                "{\"a\":{\"b\":1}}",
                "{\"a\":{\"b\":1},\"c\":2}",
                "{\"a\":{\"b\":1,\"c\":2}}",
                "[{\"a\":1},{\"b\":2}]",
                "[{\"a\":1,\"b\":2}]",
                "9007199254740992",
                "9007199254740993",
                "0.1",
                "0.10000000000000001",
                "1e400",
                "1e401");
        Map<String, String> textsByDigest = new HashMap<>();
        for (String text : texts) {
            assertThat(textsByDigest.put(digest(text), text))
                    .as("another text with the digest of %s", text)
                    .isNull();
        }
    }

    @Test
    void aByteOrderMarkAndTheEncodingMakeNoDifference() throws Exception {
        String text = "{\"größe\":\"😀\"}";
        assertThat(List.of(
                        digest("\uFEFF" + text),
                        digest(text, StandardCharsets.UTF_16BE),
                        digest(text, StandardCharsets.UTF_16LE),
                        digest("\uFEFF" + text, StandardCharsets.UTF_16LE),
                        digest(text, Charset.forName("UTF-32BE"))))
                .containsOnly(digest(text));
    }

    @Test
    void unpairedSurrogatesStayApart() throws Exception {
        assertThat(List.of(
                        digest("\"\\ud800\""),
                        digest("\"\\ud801\""),
                        digest("\"\\udc00\""),
                        digest("\"?\""),
                        digest("\"\\ufffd\"")))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[",
                "[1",
                "[1,",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,",
                "{\"a\":1,}",
                "[1,]",
                "}",
                "]",
                "[}",
                "{]",
                "{\"a\":]",
                "{1:2}",
                "{a:1}",
                "\"",
                "\"a",
                "\"\\x\"",
                "\"\\ud8\"",
                "'a'",
                "nul",
                "nulll",
                "True",
                "NaN",
                "Infinity",
                "-",
                "+1",
                "01",
                "1.",
                ".5",
                "1e",
                "0x10",
                "1 // comment",
                "[1 2]",
                "\"tab\there\"",
                "\u0000",
            })
    void whatIsNotJsonIsMalformedAndNothingElse(String text) {
        assertThatThrownBy(() -> digest(text)).isInstanceOf(MalformedJsonException.class);
    }

    @Test
    void nestingWithoutEndIsMalformedAndNothingElse() {
        assertThatThrownBy(() -> digest("[".repeat(1_000_000))).isInstanceOf(MalformedJsonException.class);
        assertThatThrownBy(() -> digest("{\"a\":".repeat(1_000_000))).isInstanceOf(MalformedJsonException.class);
    }

    @Test
    void anObjectThatATokenizerLeavesUnfinishedIsMalformed() {
        for (JsonToken instead : List.of(JsonToken.END, JsonToken.END_ARRAY, JsonToken.STRING)) {
            JsonTokenizer careless =
                    json -> new ScriptedTokens(JsonToken.START_OBJECT, instead, JsonToken.NULL, JsonToken.END_OBJECT);
            JsonScan scan = new JsonScan(careless, List.of(), List.of());
            assertThatThrownBy(() -> scan.scan(new byte[0], Sha256.newDigest()))
                    .isInstanceOf(MalformedJsonException.class);
        }
    }

    @Test
    void whatTheTextHoldsIsNotInTheMessage() {
        assertThatThrownBy(() -> digest("{\"secret-name\":secret-value}")).hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/b | {\"a\":1,\"b\":2} | {\"a\":1}",
                "/b | {\"a\":1,\"b\":2} | {\"b\":{\"c\":[3]},\"a\":1}",
                "/b | {\"b\":1,\"a\":1,\"b\":2} | {\"a\":1}",
                "/b/c | {\"b\":{\"c\":1,\"d\":2}} | {\"b\":{\"d\":2}}",
                "/1 | [1,2,3] | [1,9,3]",
                "/1 | [1,2] | [1]",
                "/1/at | [{\"at\":1},{\"at\":2}] | [{\"at\":1},{\"at\":3}]",
                "/0 | {\"0\":1,\"a\":2} | {\"a\":2}",
                "/a~1b | {\"a/b\":1} | {}",
                "/m~0n | {\"m~n\":1} | {}",
                "/ | {\"\":1} | {}",
                "`` | {\"a\":1} | [2]",
                "`` | {\"a\":1} | ``",
            })
    void ignoredValuesMakeNoDifference(String pointer, String one, String other) throws Exception {
        JsonScan scan = ignoring(pointer);
        assertThat(digest(scan, bytes(one))).isEqualTo(digest(scan, bytes(other)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/b | {\"a\":1,\"b\":2} | {\"a\":2,\"b\":2}",
                "/b | {\"c\":{\"b\":1}} | {\"c\":{\"b\":2}}",
                "/b | [{\"b\":1}] | [{\"b\":2}]",
                "/b/c | {\"b\":{\"c\":1}} | {}",
                "/b/c | {\"b\":1} | {\"b\":2}",
                "/B | {\"b\":1} | {\"b\":2}",
                "/01 | [1,2] | [1,3]",
                "/- | [1,2] | [1,3]",
                "/1 | [1,2,3] | [1,2,4]",
                "/ | {\"a\":1} | {\"a\":2}",
            })
    void whatIsNotIgnoredStillMakesADifference(String pointer, String one, String other) throws Exception {
        JsonScan scan = ignoring(pointer);
        assertThat(digest(scan, bytes(one))).isNotEqualTo(digest(scan, bytes(other)));
    }

    @Test
    void wantedValuesArePickedOutByPointer() throws Exception {
        String text =
                "{\"order\":{\"id\":7,\"name\":\"é\",\"paid\":true,\"open\":false,\"note\":null,\"lines\":[1,{}]}}";
        assertThat(wanted(text, "/order/id", "/order/name", "/order/paid", "/order/open"))
                .isEqualTo(Map.of(
                        JsonPointer.parse("/order/id"), List.of(new Value.Scalar("7")),
                        JsonPointer.parse("/order/name"), List.of(new Value.Scalar("é")),
                        JsonPointer.parse("/order/paid"), List.of(new Value.Scalar("true")),
                        JsonPointer.parse("/order/open"), List.of(new Value.Scalar("false"))));
        assertThat(wanted(text, "/order/note", "/order/lines", "/order/lines/1", "/order/lines/2", "/order"))
                .isEqualTo(Map.of(
                        JsonPointer.parse("/order/note"), List.of(new Value.Null()),
                        JsonPointer.parse("/order/lines"), List.of(new Value.Structure()),
                        JsonPointer.parse("/order/lines/1"), List.of(new Value.Structure()),
                        JsonPointer.parse("/order"), List.of(new Value.Structure())));
    }

    @Test
    void everyDuplicateOfAWantedMemberIsPickedOutInOrder() throws Exception {
        assertThat(wanted("{\"a\":1,\"b\":0,\"\\u0061\":\"2\"}", "/a"))
                .containsEntry(JsonPointer.parse("/a"), List.of(new Value.Scalar("1"), new Value.Scalar("2")));
    }

    @Test
    void everyRootIsScanned() throws Exception {
        assertThat(wanted("{\"a\":\"x\"} {\"a\":\"y\"}", "/a"))
                .containsEntry(JsonPointer.parse("/a"), List.of(new Value.Scalar("x"), new Value.Scalar("y")));
        assertThat(wanted("\"x\"", "")).containsEntry(JsonPointer.parse(""), List.of(new Value.Scalar("x")));
    }

    @Test
    void aWantedValueIsFoundWhereTheDigestLeavesItOut() throws Exception {
        JsonScan scan = new JsonScan(JACKSON, pointers("/meta"), pointers("/meta/id"));
        assertThat(scan.scan(bytes("{\"meta\":{\"id\":\"7\"}}"), Sha256.newDigest()))
                .containsEntry(JsonPointer.parse("/meta/id"), List.of(new Value.Scalar("7")));
    }

    @Test
    void shufflingMembersOfRandomTextsChangesNothingAndAnyOtherChangeDoes() throws Exception {
        Random random = new Random(20260101);
        for (int round = 0; round < 2_000; round++) {
            Object value = randomValue(random, 4);
            String digest = digest(write(value, random));
            assertThat(digest(write(value, random))).isEqualTo(digest);
            Object other = changedOnce(value, random);
            assertThat(digest(write(other, random)))
                    .as("%s and %s", value, other)
                    .isNotEqualTo(digest);
        }
    }

    private static Object randomValue(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> random.nextInt(5) - 2;
            case 1 -> random.nextBoolean();
            case 2 -> "s" + random.nextInt(3);
            case 3 -> List.of();
            case 4 -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(randomValue(random, depth - 1));
                }
                yield list;
            }
            default -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put("m" + random.nextInt(5), randomValue(random, depth - 1));
                }
                yield map;
            }
        };
    }

    /** The value with one difference somewhere inside. */
    private static Object changedOnce(Object value, Random random) {
        if (value instanceof List<?> list && !list.isEmpty() && random.nextInt(3) > 0) {
            List<Object> copy = new ArrayList<>(list);
            int at = random.nextInt(copy.size());
            copy.set(at, changedOnce(copy.get(at), random));
            return copy;
        }
        if (value instanceof Map<?, ?> map && !map.isEmpty() && random.nextInt(3) > 0) {
            Map<Object, Object> copy = new LinkedHashMap<>(map);
            Object name = copy.keySet().iterator().next();
            copy.put(name, changedOnce(copy.get(name), random));
            return copy;
        }
        return value instanceof String ? 77 : "other";
    }

    private static String write(Object value, Random random) {
        String space = " ".repeat(random.nextInt(2));
        StringBuilder out = new StringBuilder(space);
        if (value instanceof List<?> list) {
            out.append('[');
            for (int i = 0; i < list.size(); i++) {
                out.append(i == 0 ? "" : ",").append(write(list.get(i), random));
            }
            out.append(']');
        } else if (value instanceof Map<?, ?> map) {
            List<Object> names = new ArrayList<>(map.keySet());
            Collections.shuffle(names, random);
            out.append('{');
            for (int i = 0; i < names.size(); i++) {
                Object name = names.get(i);
                out.append(i == 0 ? "" : ",").append(write(name, random)).append(':');
                out.append(write(map.get(name), random));
            }
            out.append('}');
        } else {
            out.append(value instanceof String ? "\"" + value + "\"" : value);
        }
        return out.append(space).toString();
    }

    private static Map<JsonPointer, List<Value>> wanted(String text, String... wanted) throws MalformedJsonException {
        return new JsonScan(JACKSON, List.of(), pointers(wanted)).scan(bytes(text), Sha256.newDigest());
    }

    private static JsonScan ignoring(String... ignored) {
        return new JsonScan(JACKSON, pointers(ignored), List.of());
    }

    private static List<JsonPointer> pointers(String... pointers) {
        return Arrays.stream(pointers).map(JsonPointer::parse).toList();
    }

    private static String digest(String text) throws MalformedJsonException {
        return digest(text, StandardCharsets.UTF_8);
    }

    private static String digest(String text, Charset charset) throws MalformedJsonException {
        return digest(ignoring(), text.getBytes(charset));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String digest(JsonScan scan, byte[] text) throws MalformedJsonException {
        MessageDigest digest = Sha256.newDigest();
        scan.scan(text, digest);
        return HexFormat.of().formatHex(digest.digest());
    }

    private static final class ScriptedTokens implements JsonTokens {

        private final JsonToken[] script;
        private int at;

        ScriptedTokens(JsonToken... script) {
            this.script = script;
        }

        @Override
        public JsonToken next() {
            return at < script.length ? script[at++] : JsonToken.END;
        }

        @Override
        public String text() {
            return "";
        }

        @Override
        public void close() {}
    }
}
