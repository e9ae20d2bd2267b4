// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.idempotency.json.JsonPointer;
import dev.idempotency.json.JsonScan;
import dev.idempotency.json.JsonScan.Value;
import dev.idempotency.json.JsonToken;
import dev.idempotency.json.JsonTokenizer;
import dev.idempotency.json.JsonTokens;
import dev.idempotency.json.MalformedJsonException;
import dev.idempotency.key.Sha256;
import java.nio.charset.Charset;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An application that moves from Jackson 2 to Jackson 3 must find its records again. */
class JacksonTokenizersTest {

    private static final JsonTokenizer JACKSON_2 = new Jackson2Tokenizer();
    private static final JsonTokenizer JACKSON_3 = new Jackson3Tokenizer();

    static Stream<String> valid() {
        return Stream.of(
                "",
                " \t\r\n",
                "{}",
                "[]",
                "[[],{},[{}]]",
                "null",
                "true",
                "false",
                "0",
                "-0",
                "-0.0",
                "12 ",
                "1 2",
                "{} []",
                "\"\"",
                "\"a\" \"b\"",
                "{\"\":\"\"}",
                "{\"a\":1,\"a\":2,\"b\":null}",
                " { \"a\" : [ 1 , true , \"x\" ] } ",
                "[0.1,1.10,1e5,1E+5,1e-5,123456789012345678901234567890.5,-1]",
                "[9007199254740993,1e400,1e-400,1e999999999999]",
                "[" + "9".repeat(1000) + "]",
                "[0." + "1".repeat(900) + "]",
                "\"\\u00e4 \\ud83d\\ude00 \\n\\r\\t\\b\\f\\/\\\\\\\"\"",
                "\"\u00e4 \u4e2d \uD83D\uDE00 \u2028 \u007f\"",
                "\"\\ud800\"",
                "\"\\udc00\\ud800\"",
                "{\"\\u0061\":1,\"\u00e4\":2}",
                "\"\\u0000\"",
                "[".repeat(200) + "]".repeat(200),
                "{\"a\":".repeat(199) + "{}" + "}".repeat(199),
                "\"" + "x".repeat(100_000) + "\"",
                "{\"" + "n".repeat(50_000) + "\":1}",
                "[" + "1,".repeat(5000) + "1]");
    }

    static Stream<String> invalid() {
        return Stream.of(
                "{",
                "}",
                "[",
                "]",
                "{\"a\":1}}",
                "{\"a\":1]",
                "[1}",
                "{\"a\":1,}",
                "[1,]",
                "[,1]",
                "[1,,2]",
                "[1 2]",
                "{\"a\" 1}",
                "{\"a\":}",
                "{\"a\"}",
                "{a:1}",
                "{1:1}",
                "{'a':1}",
                "['a']",
                "NaN",
                "[NaN]",
                "[Infinity]",
                "[-Infinity]",
                "[01]",
                "[-01]",
                "[00]",
                "[+1]",
                "[.5]",
                "[5.]",
                "[1e]",
                "[1e+]",
                "[-]",
                "[0x1]",
                "1a",
                "truex",
                "[tru]",
                "[nul",
                "// x\n1",
                "[1/* x */]",
                "# x\n1",
                "\"a",
                "\"a\\",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"a\tb\"",
                "\"a\nb\"",
                "\"a\u0000b\"",
                "[\u0000]",
                "[\u00a0]",
                "{\"a\n\":1}",
                "{\"a\":\"b\"",
                "abc",
                "<a/>",
                "{} x",
                "[" + "9".repeat(1001) + "]",
                "[".repeat(1001) + "]".repeat(1001),
                "{\"a\":".repeat(1001) + "1" + "}".repeat(1001));
    }

    static Stream<byte[]> invalidBytes() {
        return Stream.of(
                        "22ff22", // no UTF-8 byte
                        "22c322", // sequence breaks off
                        "22e282", // text breaks off in a character
                        "22f8888080802222")
                .map(HexFormat.of()::parseHex);
    }

    private static List<String> tokens(JsonTokenizer tokenizer, byte[] json) throws MalformedJsonException {
        List<String> read = new ArrayList<>();
        try (JsonTokens tokens = tokenizer.tokens(json)) {
            for (JsonToken token = tokens.next(); token != JsonToken.END; token = tokens.next()) {
                boolean hasText = token == JsonToken.NAME || token == JsonToken.STRING || token == JsonToken.NUMBER;
                read.add(hasText ? token + " " + tokens.text() : token.toString());
            }
        }
        return read;
    }

    private record Scanned(String digest, Map<JsonPointer, List<Value>> picked) {}

    private static Scanned scan(JsonTokenizer tokenizer, byte[] json) throws MalformedJsonException {
        MessageDigest digest = Sha256.newDigest();
        List<JsonPointer> wanted = List.of(JsonPointer.parse("/a"), JsonPointer.parse("/0"));
        Map<JsonPointer, List<Value>> picked =
                new JsonScan(tokenizer, List.of(JsonPointer.parse("/b")), wanted).scan(json, digest);
        return new Scanned(HexFormat.of().formatHex(digest.digest()), picked);
    }

    private static void assertSame(byte[] json) throws MalformedJsonException {
        assertThat(tokens(JACKSON_3, json)).isEqualTo(tokens(JACKSON_2, json));
        assertThat(scan(JACKSON_3, json)).isEqualTo(scan(JACKSON_2, json));
    }

    private static void assertRefused(byte[] json) {
        for (JsonTokenizer tokenizer : List.of(JACKSON_2, JACKSON_3)) {
            assertThatExceptionOfType(MalformedJsonException.class)
                    .as(tokenizer.getClass().getSimpleName())
                    .isThrownBy(() -> tokens(tokenizer, json));
            assertThatExceptionOfType(MalformedJsonException.class).isThrownBy(() -> scan(tokenizer, json));
        }
    }

    @ParameterizedTest
    @MethodSource("valid")
    void bothReadTheSameFromValidJson(String json) throws Exception {
        assertSame(json.getBytes(UTF_8));
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void bothRefuseWhatIsNotJson(String json) {
        assertRefused(json.getBytes(UTF_8));
    }

    @ParameterizedTest
    @MethodSource("invalidBytes")
    void bothRefuseBytesThatAreNoUtf8(byte[] json) {
        assertRefused(json);
    }

    @Test
    void bothTakeTheSameLibertiesWithUtf8() {
        for (String lenient : List.of("22c0af22", "22eda08022", "22f4908080" + "22", "22f58080803f22")) {
            byte[] json = HexFormat.of().parseHex(lenient);
            assertThat(outcome(JACKSON_3, json)).as(lenient).isEqualTo(outcome(JACKSON_2, json));
        }
    }

    @Test
    void encodingsOfOneTextHaveOneMeaning() throws Exception {
        String json = "{\"a\":\"\u00e4 \uD83D\uDE00\",\"c\":[1,2]}";
        Scanned plain = scan(JACKSON_2, json.getBytes(UTF_8));
        for (Charset charset :
                List.of(UTF_8, UTF_16BE, UTF_16LE, Charset.forName("UTF-32BE"), Charset.forName("UTF-32LE"))) {
            for (String text : List.of(json, "\uFEFF" + json)) {
                byte[] bytes = text.getBytes(charset);
                assertSame(bytes);
                assertThat(scan(JACKSON_2, bytes)).as("%s", charset).isEqualTo(plain);
            }
        }
        assertRefused(json.getBytes(ISO_8859_1));
    }

    @Test
    void bothTellNamesFromStringsAndKeepNumbersAsTheyAreWritten() throws Exception {
        byte[] json = "{\"n\":[\"s\",1.10,-0,1E+5,true,false,null]}".getBytes(UTF_8);
        assertThat(tokens(JACKSON_2, json))
                .containsExactly(
                        "START_OBJECT",
                        "NAME n",
                        "START_ARRAY",
                        "STRING s",
                        "NUMBER 1.10",
                        "NUMBER -0",
                        "NUMBER 1E+5",
                        "TRUE",
                        "FALSE",
                        "NULL",
                        "END_ARRAY",
                        "END_OBJECT");
        assertSame(json);
    }

    @Test
    void complaintHoldsNothingOfTheText() {
        for (JsonTokenizer tokenizer : List.of(JACKSON_2, JACKSON_3)) {
            assertThatExceptionOfType(MalformedJsonException.class)
                    .isThrownBy(() -> tokens(tokenizer, "{\"secret\":secret}".getBytes(UTF_8)))
                    .withMessageNotContaining("secret")
                    .withNoCause();
        }
    }

    @Test
    void damagedTextsAreReadOrRefusedAlike() {
        Random random = new Random(7);
        List<String> texts = valid().filter(text -> text.length() < 200).toList();
        for (int i = 0; i < 20_000; i++) {
            byte[] json = texts.get(random.nextInt(texts.size())).getBytes(UTF_8);
            for (int damage = random.nextInt(3); damage >= 0 && json.length > 0; damage--) {
                json[random.nextInt(json.length)] = (byte)
                        (random.nextBoolean() ? random.nextInt(256) : "{}[],:\"\\0e-. ".charAt(random.nextInt(13)));
            }
            assertThat(outcome(JACKSON_3, json)).as(() -> "a damaged text").isEqualTo(outcome(JACKSON_2, json));
        }
    }

    private static Object outcome(JsonTokenizer tokenizer, byte[] json) {
        try {
            return List.of(tokens(tokenizer, json), scan(tokenizer, json));
        } catch (MalformedJsonException e) {
            return "malformed";
        }
    }
}
