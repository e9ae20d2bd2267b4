// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormParametersTest {

    private static Map<String, List<String>> parse(String body) {
        return FormParameters.parse(body.getBytes(UTF_8), UTF_8);
    }

    @Test
    void namesAndValuesKeepTheirOrder() {
        Map<String, List<String>> parameters = parse("z=1&a=2&z=3&m=4&a=");
        assertThat(parameters.keySet()).containsExactly("z", "a", "m");
        assertThat(parameters)
                .containsEntry("z", List.of("1", "3"))
                .containsEntry("a", List.of("2", ""))
                .containsEntry("m", List.of("4"));
    }

    @Test
    void nameWithoutValueHasTheEmptyText() {
        assertThat(parse("a&b=")).containsEntry("a", List.of("")).containsEntry("b", List.of(""));
    }

    @Test
    void onlyTheFirstEqualsSignSeparates() {
        assertThat(parse("a=b=c==")).containsExactly(Map.entry("a", List.of("b=c==")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&", "&&&", "=", "=v", "&=v&"})
    void whatHasNoNameIsNoParameter(String body) {
        assertThat(parse(body)).isEmpty();
    }

    @Test
    void emptyPiecesAreSkipped() {
        assertThat(parse("&a=1&&b=2&")).containsOnlyKeys("a", "b");
    }

    @Test
    void namesAndValuesAreDecoded() {
        assertThat(parse("n%C3%A4me=v%C3%A4lue+%F0%9F%98%80"))
                .containsExactly(Map.entry("n\u00e4me", List.of("v\u00e4lue \uD83D\uDE00")));
    }

    @Test
    void plusIsASpaceAndEscapedPlusIsAPlus() {
        assertThat(parse("a+b=c+d%2Be%20f")).containsExactly(Map.entry("a b", List.of("c d+e f")));
    }

    @Test
    void escapedSeparatorsSeparateNothing() {
        assertThat(parse("a%26b%3Dc=d%26e%3Df")).containsExactly(Map.entry("a&b=c", List.of("d&e=f")));
    }

    @Test
    void unescapedBytesAreDecodedByTheCharset() {
        assertThat(FormParameters.parse("\u00e4=\u00f6".getBytes(ISO_8859_1), ISO_8859_1))
                .containsExactly(Map.entry("\u00e4", List.of("\u00f6")));
        assertThat(FormParameters.parse("\u00e4=\u00f6".getBytes(UTF_8), UTF_8))
                .containsExactly(Map.entry("\u00e4", List.of("\u00f6")));
        assertThat(FormParameters.parse("a=%E4".getBytes(UTF_8), ISO_8859_1))
                .containsExactly(Map.entry("a", List.of("\u00e4")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a=%", "a=%1", "a=x%", "a=%zz", "a=%1g", "a=%g1", "a=% 1", "%=1", "a%2=1", "a=%\u00e4\u00e4"})
    void parameterWithBrokenEncodingIsLeftOutAndTheOthersStay(String broken) {
        assertThat(parse("x=1&" + broken + "&y=2")).containsOnlyKeys("x", "y");
    }

    @Test
    void hexDigitsMayHaveEitherCase() {
        assertThat(parse("a=%3b%3B")).containsEntry("a", List.of(";;"));
    }
}
