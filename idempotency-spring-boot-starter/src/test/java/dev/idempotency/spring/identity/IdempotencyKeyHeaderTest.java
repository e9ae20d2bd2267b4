// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.idempotency.spring.problem.ProblemType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

class IdempotencyKeyHeaderTest {

    private static final String NAME = "X-Idempotency-Key";
    private static final String DRAFT_NAME = "Idempotency-Key";

    private final IdempotencyKeyHeader header = new IdempotencyKeyHeader(List.of(NAME, DRAFT_NAME));

    private String read(String value) throws InvalidRequestException {
        return header.resolve(request(NAME, value));
    }

    private static MockHttpServletRequest request(String name, String... lines) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        for (String line : lines) {
            request.addHeader(name, line);
        }
        return request;
    }

    private void assertRefused(MockHttpServletRequest request) {
        InvalidRequestException refusal =
                catchThrowableOfType(InvalidRequestException.class, () -> header.resolve(request));
        assertThat(refusal).isNotNull();
        assertThat(refusal.problem()).isEqualTo(ProblemType.KEY_INVALID);
    }

    @Test
    void requestWithoutTheHeaderHasNoKey() throws Exception {
        assertThat(header.resolve(new MockHttpServletRequest())).isNull();
    }

    @Test
    void theFirstNameIsToldToSenders() {
        assertThat(header.description()).isEqualTo("the header " + NAME);
        assertThat(header.names()).containsExactly(NAME, DRAFT_NAME);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "K1 | K1",
                "k1 | k1",
                "\"K1\" | K1",
                "` \t K1 \t ` | K1",
                "` \t \"K1\"  ` | K1",
                "\"a\\\"b\" | a\"b",
                "\"a\\\\b\" | a\\b",
                "\"a;b=c\" | a;b=c",
                "\"'a'\" | 'a'",
                "8e03978e-40d5-43dd-bc93-6894a57f9324 | 8e03978e-40d5-43dd-bc93-6894a57f9324",
                "a'b | a'b",
            })
    void bareTextAndQuotedTextAreTheKey(String line, String key) throws Exception {
        assertThat(read(line)).isEqualTo(key);
    }

    @Test
    void everyVisibleAsciiCharacterButCommaMayBeInAKey() throws Exception {
        String bare = "!#$%&()*+-./:;<=>?@[]^_`{|}~'09AZaz";
        assertThat(read(bare + ".")).isEqualTo(bare + ".");
        assertThat(read("\"" + bare + "\"")).isEqualTo(bare);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"K1\";a",
                "\"K1\";a=1",
                "\"K1\"; a=1;  b=2",
                "\"K1\";a=1;a=2",
                "\"K1\";*a-b_c.d9=?0",
                "\"K1\";a=:aGk=:",
                "\"K1\";a=\"x;y\"",
                "\"K1\";a=\"x\\\"y\";b",
            })
    void parametersOfAStringAreIgnored(String line) throws Exception {
        assertThat(read(line)).isEqualTo("K1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " \t ", "\"\"", "\"\";a=1", "\" \"", "\"   \""})
    void emptyOrBlankIsRefusedAndNeverASharedKey(String line) {
        assertRefused(request(NAME, line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "undefined", "\"null\"", "\"undefined\""})
    void textOfAMissingValueIsRefusedAndNeverASharedKey(String line) {
        assertRefused(request(NAME, line));
    }

    @Test
    void textThatOnlyContainsNullIsAKey() throws Exception {
        assertThat(read("null-1")).isEqualTo("null-1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"K1",
                "K1\"",
                "\"",
                "K\"1",
                "'K1'",
                "'K1",
                "K1'",
                "\"a\\,b\"",
                "\"a\\b\"",
                "\"a\\\"",
                "\"a\\",
                "a\\b",
                "\"K1\"x",
                "\"K1\" \"K2\"",
                "\"K1\" ;a=1",
                "\"K1\"\t;a=1",
                "\"K1\";\ta=1",
                "\"K1\";",
                "\"K1\";a=1;",
                "\"K1\";;a",
                "\"K1\";=1",
                "\"K1\";a=",
                "\"K1\";a=;b",
                "\"K1\";A=1",
                "\"K1\";1a=1",
                "\"K1\";a=\"x",
                "\"K1\";a=\"x\\y\"",
                "\"K1\";a=1 2",
                "\"K1\";a b",
                "\"K1\";a=\"x\"y",
            })
    void brokenQuotingIsRefused(String line) {
        assertRefused(request(NAME, line));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"K1\", \"K2\"",
                "\"K1\",",
                "\"K1\";a=1,\"K2\"",
                "K1,K2",
                "K1,",
                ",",
                "\"a,b\"",
                "\"a b\"",
                "a b",
                "a\tb",
                "\"a\tb\"",
            })
    void listsAndSpacesInsideAreRefused(String line) {
        assertRefused(request(NAME, line));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 10, 13, 27, 31, 127, 128, 133, 160, 228, 255, 0x2003, 0x2028, 0x430, 0xFEFF, 0xD83D})
    void controlAndNonAsciiCharactersAreRefusedWhereverTheyStand(int codePoint) {
        char c = (char) codePoint;
        for (String line : List.of(
                "K" + c + "1",
                "\"K" + c + "1\"",
                c + "K",
                "K" + c + "1\"",
                "\"K\";a=\"" + c + "\"",
                "\"K\";a=1" + c + "2")) {
            assertRefused(request(NAME, line));
        }
    }

    @Test
    void noBreakSpaceIsNotTrimmed() {
        assertRefused(request(NAME, "\u00a0K1"));
        assertRefused(request(NAME, "K1\u00a0"));
    }

    @Test
    void keyHasAtMost255CharactersNotCountingItsQuotes() throws Exception {
        String longest = "x".repeat(255);
        assertThat(read(longest)).isEqualTo(longest);
        assertThat(read("\"" + longest + "\"")).isEqualTo(longest);
        assertThat(read("\"" + "\\\"".repeat(255) + "\"")).isEqualTo("\"".repeat(255));
        assertRefused(request(NAME, longest + "x"));
        assertRefused(request(NAME, "\"" + longest + "x\""));
    }

    @Test
    void complaintNamesTheLimitAndNeverEchoesTheKey() {
        assertThat(catchThrowableOfType(InvalidRequestException.class, () -> read("secret".repeat(50))))
                .hasMessageContaining("255")
                .hasMessageNotContaining("secret");
        assertThat(catchThrowableOfType(InvalidRequestException.class, () -> read("'secret'")))
                .hasMessageContaining(NAME)
                .hasMessageNotContaining("secret");
    }

    @Test
    void repeatedLinesAreRefusedEvenIfTheyAgree() {
        assertRefused(request(NAME, "K1", "K2"));
        assertRefused(request(NAME, "K1", "K1"));
        assertRefused(request(NAME, "K1", ""));
    }

    @Test
    void eitherNameWillDoInAnyCase() throws Exception {
        assertThat(header.resolve(request(DRAFT_NAME, "K1"))).isEqualTo("K1");
        assertThat(header.resolve(request("x-idempotency-KEY", "K1"))).isEqualTo("K1");
    }

    @Test
    void bothNamesAreOneKeyIfTheyAgreeAfterParsing() throws Exception {
        MockHttpServletRequest agreeing = request(NAME, "K1");
        agreeing.addHeader(DRAFT_NAME, "\"K1\";v=1");
        assertThat(header.resolve(agreeing)).isEqualTo("K1");
    }

    @Test
    void bothNamesAreRefusedIfTheyDisagree() {
        MockHttpServletRequest otherCase = request(NAME, "K1");
        otherCase.addHeader(DRAFT_NAME, "k1");
        assertRefused(otherCase);
        MockHttpServletRequest secondMalformed = request(NAME, "K1");
        secondMalformed.addHeader(DRAFT_NAME, "\"K1");
        assertRefused(secondMalformed);
        MockHttpServletRequest secondEmpty = request(NAME, "K1");
        secondEmpty.addHeader(DRAFT_NAME, "");
        assertRefused(secondEmpty);
    }
}
