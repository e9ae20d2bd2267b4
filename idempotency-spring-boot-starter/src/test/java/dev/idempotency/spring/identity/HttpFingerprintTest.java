// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.json.JsonPointer;
import dev.idempotency.json.JsonScan;
import dev.idempotency.json.JsonScan.Value;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.Sha256;
import dev.idempotency.policy.IdempotencyLevel;
import dev.idempotency.spring.identity.HttpFingerprint.Result;
import dev.idempotency.spring.json.Jackson2Tokenizer;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Part;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockPart;

class HttpFingerprintTest {

    private static final String JSON = "application/json";
    private static final String FORM = "application/x-www-form-urlencoded";

    private static HttpFingerprint fingerprints(IdempotencyLevel level, boolean canonical, String... ignored) {
        List<JsonPointer> pointers = Stream.of(ignored).map(JsonPointer::parse).toList();
        List<JsonPointer> wanted = List.of(JsonPointer.parse("/order_id"));
        JsonScan scan = new JsonScan(new Jackson2Tokenizer(), pointers, wanted);
        return new HttpFingerprint(level, scan, canonical, pointers);
    }

    private static final HttpFingerprint CANONICAL = fingerprints(IdempotencyLevel.FULL_REQUEST, true);
    private static final HttpFingerprint RAW = fingerprints(IdempotencyLevel.FULL_REQUEST, false);
    private static final HttpFingerprint KEY_ONLY = fingerprints(IdempotencyLevel.BUSINESS_ID, true);
    private static final HttpFingerprint WITHOUT_JACKSON =
            new HttpFingerprint(IdempotencyLevel.FULL_REQUEST, null, true, List.of());

    private static MockHttpServletRequest post(String contentType, String body) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders");
        request.setContentType(contentType);
        request.setContent(body.getBytes(UTF_8));
        return request;
    }

    private static Result result(HttpFingerprint fingerprints, MockHttpServletRequest request) throws Exception {
        return fingerprints.of(new BufferedRequest(request, 100_000, true), request.getRequestURI());
    }

    private static Fingerprint of(MockHttpServletRequest request) throws Exception {
        return result(CANONICAL, request).fingerprint();
    }

    private static Fingerprint json(HttpFingerprint fingerprints, String body) throws Exception {
        return result(fingerprints, post(JSON, body)).fingerprint();
    }

    private static Fingerprint json(String body) throws Exception {
        return json(CANONICAL, body);
    }

    @Test
    void equalRequestsAreEqualAndHeadersDoNotCount() throws Exception {
        MockHttpServletRequest other = post(JSON, "{}");
        other.addHeader("User-Agent", "x");
        other.addHeader("traceparent", "y");
        assertThat(of(other)).isEqualTo(of(post(JSON, "{}")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,\"b\":{\"c\":2,\"d\":3}} | { \"b\":{\"d\":3,\"c\":2}, \"a\":1 }",
                "[1.0,100] | [1.00,1e2]",
                "{\"a\":\"\\u00e4\\/\"} | {\"a\":\"\u00e4/\"}",
                "{} | `\uFEFF{ }`",
            })
    void notationOfJsonDoesNotCount(String first, String second) throws Exception {
        assertThat(json(first)).isEqualTo(json(second));
        assertThat(json(RAW, first)).isNotEqualTo(json(RAW, second));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[1,2] | [2,1]",
                "{\"a\":1} | {\"a\":\"1\"}",
                "{\"a\":null} | {}",
                "{\"a\":9007199254740993} | {\"a\":9007199254740992}",
                "{\"a\":1,\"a\":2} | {\"a\":2,\"a\":1}",
                "{} | []",
                "{} | ``",
                "{\"a\":0.1} | {\"a\":0.10000000000000001}",
            })
    void valuesOfJsonCount(String first, String second) throws Exception {
        assertThat(json(first).contradicts(json(second))).isTrue();
        assertThat(json(RAW, first).contradicts(json(RAW, second))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1", "{'a':1}", "{\"a\":1,}", "nonsense", "{\"a\":1} x"})
    void malformedJsonCountsByItsBytes(String body) throws Exception {
        assertThat(json(body)).isEqualTo(json(body));
        assertThat(json(body).contradicts(json(body + " "))).isTrue();
    }

    @Test
    void malformedJsonIsNeverTakenForAValue() throws Exception {
        String scanned = "{\"a\":1}";
        assertThat(json(scanned + "}").contradicts(json(scanned))).isTrue();
    }

    @Test
    void bytesThatLookLikeADigestAreNoDigest() throws Exception {
        MessageDigest meaning = Sha256.newDigest();
        new JsonScan(new Jackson2Tokenizer(), List.of(), List.of()).scan("{}".getBytes(UTF_8), meaning);
        MockHttpServletRequest forged = post(JSON, "");
        forged.setContent(meaning.digest());
        assertThat(of(forged).contradicts(json("{}"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json;charset=UTF-8", "APPLICATION/JSON", "application/json ; q=1"})
    void charsetAndCaseOfTheMediaTypeDoNotCount(String contentType) throws Exception {
        assertThat(of(post(contentType, "{\"a\":1}"))).isEqualTo(of(post(JSON, "{ \"a\":1}")));
    }

    @Test
    void mediaTypeCounts() throws Exception {
        assertThat(of(post("application/vnd.x+json", "{}")).contradicts(of(post(JSON, "{}"))))
                .isTrue();
        assertThat(of(post("text/plain", "{}")).contradicts(of(post(JSON, "{}"))))
                .isTrue();
        assertThat(of(post(null, "{}")).contradicts(of(post("text/plain", "{}"))))
                .isTrue();
    }

    @Test
    void vendorJsonIsJson() throws Exception {
        assertThat(of(post("application/vnd.x+json", "{\"a\":1}")))
                .isEqualTo(of(post("application/vnd.x+json", "{\"a\":1.0}")));
    }

    @Test
    void methodPathAndQueryCount() throws Exception {
        Fingerprint plain = of(post(JSON, "{}"));
        MockHttpServletRequest put = post(JSON, "{}");
        put.setMethod("PUT");
        assertThat(of(put).contradicts(plain)).isTrue();
        MockHttpServletRequest elsewhere = post(JSON, "{}");
        elsewhere.setRequestURI("/other");
        assertThat(of(elsewhere).contradicts(plain)).isTrue();
        MockHttpServletRequest queried = post(JSON, "{}");
        queried.setQueryString("x=1");
        assertThat(of(queried).contradicts(plain)).isTrue();
        MockHttpServletRequest otherwise = post(JSON, "{}");
        otherwise.setQueryString("x=2");
        assertThat(of(otherwise).contradicts(of(queried))).isTrue();
        MockHttpServletRequest emptyQuery = post(JSON, "{}");
        emptyQuery.setQueryString("");
        assertThat(of(emptyQuery).contradicts(plain)).isTrue();
    }

    @Test
    void boundsBetweenPartsOfTheRequestCannotBeShifted() throws Exception {
        MockHttpServletRequest first = post("text/plain", "body");
        first.setQueryString("a=1");
        MockHttpServletRequest second = post("text/plain", "1body");
        second.setQueryString("a=");
        assertThat(of(first).contradicts(of(second))).isTrue();
    }

    @Test
    void otherBodiesCountByTheirBytes() throws Exception {
        assertThat(of(post("text/plain", "a"))).isEqualTo(of(post("text/plain", "a")));
        assertThat(of(post("text/plain", "a")).contradicts(of(post("text/plain", "a "))))
                .isTrue();
        assertThat(of(post("application/xml", "<a/>")).contradicts(of(post("application/xml", "<a></a>"))))
                .isTrue();
    }

    @Test
    void formsCountByTheirParameters() throws Exception {
        assertThat(of(post(FORM, "a=%41+b&c"))).isEqualTo(of(post(FORM, "a=A%20b&c=")));
        assertThat(of(post(FORM, "a=1&b=2&a=3"))).isEqualTo(of(post(FORM, "a=1&a=3&b=2")));
        assertThat(of(post(FORM + ";charset=utf-8", "a=1"))).isEqualTo(of(post(FORM + "; charset=UTF-8", "a=1")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a=1 | a=2",
                "a=1 | b=1",
                "a=1&a=2 | a=2&a=1",
                "a=1 | a=1&a=1",
                "a=b&c=d | a=bc&=d",
                "a=b&c=d | a=b&a=c&a=d",
                "a=1 | a=1&b"
            })
    void differentParametersContradict(String first, String second) throws Exception {
        assertThat(of(post(FORM, first)).contradicts(of(post(FORM, second)))).isTrue();
    }

    @Test
    void formParameterAsAQueryParameterIsAnotherRequest() throws Exception {
        MockHttpServletRequest queried = post(FORM, "");
        queried.setQueryString("a=1");
        queried.addParameter("a", "1");
        assertThat(of(queried).contradicts(of(post(FORM, "a=1")))).isTrue();
    }

    @Test
    void formThatTheContainerDoesNotParseCountsByItsBytes() throws Exception {
        MockHttpServletRequest put = post(FORM, "a=1");
        put.setMethod("PUT");
        MockHttpServletRequest other = post(FORM, "a=2");
        other.setMethod("PUT");
        assertThat(of(put).contradicts(of(other))).isTrue();
    }

    private static MockHttpServletRequest upload(String boundary, Part... parts) {
        MockHttpServletRequest request = post("multipart/form-data; boundary=" + boundary, "--" + boundary);
        Stream.of(parts).forEach(request::addPart);
        return request;
    }

    @Test
    void multipartCountsByItsPartsWhateverTheBoundary() throws Exception {
        Part text = new MockPart("note", "hello".getBytes(UTF_8));
        Part file = new MockPart("file", "a.bin", new byte[20_000]);
        assertThat(of(upload("AAA", text, file))).isEqualTo(of(upload("BBB", text, file)));
        byte[] changed = new byte[20_000];
        changed[19_999] = 1;
        for (MockHttpServletRequest other : List.of(
                upload("AAA", text, new MockPart("file", "a.bin", changed)),
                upload("AAA", text, new MockPart("file", "b.bin", new byte[20_000])),
                upload("AAA", text, new MockPart("other", "a.bin", new byte[20_000])),
                upload("AAA", file, text),
                upload("AAA", text),
                upload("AAA"))) {
            assertThat(of(other).contradicts(of(upload("AAA", text, file)))).isTrue();
        }
    }

    @Test
    void contentTypeOfAPartCounts() throws Exception {
        MockPart typed = new MockPart("note", "hello".getBytes(UTF_8));
        typed.getHeaders().set("Content-Type", "text/plain");
        assertThat(of(upload("A", typed)).contradicts(of(upload("A", new MockPart("note", "hello".getBytes(UTF_8))))))
                .isTrue();
    }

    @Test
    void multipartThatCannotBeReadCountsWithoutItsBody() throws Exception {
        for (Exception trouble : List.of(new ServletException("no boundary"), new IllegalStateException("too large"))) {
            MockHttpServletRequest broken = new MockHttpServletRequest("POST", "/orders") {
                @Override
                public Collection<Part> getParts() throws ServletException {
                    if (trouble instanceof ServletException e) {
                        throw e;
                    }
                    throw (IllegalStateException) trouble;
                }
            };
            broken.setContentType("multipart/form-data");
            assertThat(of(broken).contradicts(of(upload("A")))).isTrue();
        }
    }

    @Test
    void ignoredValuesDoNotCount() throws Exception {
        HttpFingerprint ignoring = fingerprints(IdempotencyLevel.FULL_REQUEST, true, "/retry_attempt", "/meta/sent_at");
        assertThat(json(ignoring, "{\"a\":1,\"retry_attempt\":1,\"meta\":{\"sent_at\":1}}"))
                .isEqualTo(json(ignoring, "{\"meta\":{},\"a\":1}"));
        assertThat(json(ignoring, "{\"a\":1}").contradicts(json(ignoring, "{\"a\":2}")))
                .isTrue();
        assertThat(json(ignoring, "{\"x\":{\"retry_attempt\":1}}").contradicts(json(ignoring, "{\"x\":{}}")))
                .isTrue();
    }

    @Test
    void underBusinessIdTheContentDoesNotCountButMethodAndPathDo() throws Exception {
        Fingerprint plain = json(KEY_ONLY, "{\"a\":1}");
        assertThat(json(KEY_ONLY, "{\"a\":2}")).isEqualTo(plain);
        assertThat(result(KEY_ONLY, post("text/plain", "x")).fingerprint()).isEqualTo(plain);
        MockHttpServletRequest queried = post(JSON, "{}");
        queried.setQueryString("x=1");
        assertThat(result(KEY_ONLY, queried).fingerprint()).isEqualTo(plain);
        MockHttpServletRequest put = post(JSON, "{}");
        put.setMethod("PUT");
        assertThat(result(KEY_ONLY, put).fingerprint().contradicts(plain)).isTrue();
    }

    @Test
    void businessIdIsPickedOutAtEveryLevelAndInRawMode() throws Exception {
        for (HttpFingerprint fingerprints : List.of(CANONICAL, RAW, KEY_ONLY)) {
            assertThat(result(fingerprints, post(JSON, "{\"order_id\":\"A1\"}")).picked())
                    .containsEntry(JsonPointer.parse("/order_id"), List.of(new Value.Scalar("A1")));
            assertThat(result(fingerprints, post("text/plain", "{\"order_id\":\"A1\"}"))
                            .picked())
                    .isEmpty();
            assertThat(result(fingerprints, post(JSON, "{\"order_id\":\"A1\"")).picked())
                    .isEmpty();
        }
    }

    @Test
    void withoutAJsonLibraryJsonCountsByItsBytes() throws Exception {
        assertThat(json(WITHOUT_JACKSON, "{\"a\":1}")).isEqualTo(json(WITHOUT_JACKSON, "{\"a\":1}"));
        assertThat(json(WITHOUT_JACKSON, "{\"a\":1}").contradicts(json(WITHOUT_JACKSON, "{ \"a\":1}")))
                .isTrue();
        assertThat(result(WITHOUT_JACKSON, post(JSON, "{\"order_id\":1}")).picked())
                .isEmpty();
    }

    @Test
    void everySettingThatDecidesIsInTheAlgorithmsId() throws Exception {
        List<Integer> ids = Stream.of(
                        CANONICAL,
                        RAW,
                        KEY_ONLY,
                        fingerprints(IdempotencyLevel.FULL_REQUEST, true, "/a"),
                        fingerprints(IdempotencyLevel.FULL_REQUEST, true, "/b"),
                        fingerprints(IdempotencyLevel.FULL_REQUEST, true, "/a", "/b"))
                .map(HttpFingerprintTest::algorithm)
                .toList();
        assertThat(ids).doesNotHaveDuplicates();
    }

    @Test
    void settingsThatDecideNothingAreNotInTheAlgorithmsId() throws Exception {
        assertThat(algorithm(fingerprints(IdempotencyLevel.FULL_REQUEST, false, "/a")))
                .isEqualTo(algorithm(RAW));
        assertThat(algorithm(WITHOUT_JACKSON)).isEqualTo(algorithm(RAW));
        assertThat(algorithm(fingerprints(IdempotencyLevel.FULL_REQUEST, true))).isEqualTo(algorithm(CANONICAL));
    }

    private static int algorithm(HttpFingerprint fingerprints) {
        try {
            return json(fingerprints, "{}").algorithm();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void charsetOfAFormDecidesItsText() throws Exception {
        MockHttpServletRequest latin = post(FORM + ";charset=ISO-8859-1", "");
        latin.setContent("a=\u00e4".getBytes(ISO_8859_1));
        assertThat(of(latin)).isEqualTo(of(post(FORM + ";charset=UTF-8", "a=\u00e4")));
    }
}
