// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRedactorTest {

    private final JsonRedactor redactor = new JsonRedactor(
            new JacksonTokenizer(),
            List.of(
                    JsonPointer.parse("/card/number"),
                    JsonPointer.parse("/items/1"),
                    JsonPointer.parse("/a~1b"),
                    JsonPointer.parse("/secret")));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '!',
            value = {
                "{\"card\": {\"number\": 42, \"type\": \"x\"}}|{\"card\":{\"number\":\"[redacted]\",\"type\":\"x\"}}",
                "{\"secret\": {\"a\": [1, {}]}, \"b\": [ ]}|{\"secret\":\"[redacted]\",\"b\":[]}",
                "{\"items\": [1, [2], 3.50, {}]}|{\"items\":[1,\"[redacted]\",3.50,{}]}",
                "{\"a/b\": null, \"c\": [true, false, null]}|{\"a/b\":\"[redacted]\",\"c\":[true,false,null]}",
                "{\"secret\": 1, \"secret\": 2}|{\"secret\":\"[redacted]\",\"secret\":\"[redacted]\"}"
            })
    void valuesAreReplacedWhateverTheyAre(String json, String expected) throws Exception {
        JsonRedactor.Redacted redacted = redactor.redact(json.getBytes(UTF_8));

        assertThat(new String(redacted.json().bytes(), UTF_8)).isEqualTo(expected);
        assertThat(redacted.replaced()).isNotEmpty();
    }

    @Test
    void textsKeepTheirCharacters() throws Exception {
        String json = "{\"secret\":0,\"t\":\"q\\\" b\\\\ n\\n ä \\u0001\"}";

        assertThat(new String(redactor.redact(json.getBytes(UTF_8)).json().bytes(), UTF_8))
                .isEqualTo("{\"secret\":\"[redacted]\",\"t\":\"q\\\" b\\\\ n\\u000a ä \\u0001\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{ \"number\" : 1 }", "[1, 2]", "{\"card\": 1}", "\"secret\""})
    void whatHoldsNoneOfThemStaysAsItIs(String json) throws Exception {
        byte[] bytes = json.getBytes(UTF_8);

        assertThat(redactor.redact(bytes).json().bytes()).isSameAs(bytes);
    }

    @Test
    void pointersOfWhatWasReplacedAreTold() throws Exception {
        assertThat(redactor.redact("{\"a/b\":1,\"card\":{\"number\":2}}".getBytes(UTF_8))
                        .replaced())
                .extracting(JsonPointer::text)
                .containsExactly("/a~1b", "/card/number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"secret\":", "{\"secret\":1}}", "{\"secret\":1} 2", "[1", "no"})
    void whatIsNoJsonIsRefused(String json) {
        assertThatExceptionOfType(MalformedJsonException.class).isThrownBy(() -> redactor.redact(json.getBytes(UTF_8)));
    }

    @Test
    void valuesAreWrittenByTheirType() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("s", "a\"b");
        map.put("n", 1.5);
        map.put("l", List.of(true, Map.of()));
        map.put("z", null);
        map.put("e", List.of());

        assertThat(JsonText.of(map)).isEqualTo("{\"s\":\"a\\\"b\",\"n\":1.5,\"l\":[true,{}],\"z\":null,\"e\":[]}");
        assertThat(JsonText.of(new ArrayList<>())).isEqualTo("[]");
    }
}
