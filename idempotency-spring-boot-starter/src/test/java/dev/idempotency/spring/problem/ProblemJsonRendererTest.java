// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProblemJsonRendererTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static MockHttpServletResponse render(ProblemJsonRenderer renderer, Problem problem) throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        renderer.render(problem, new MockHttpServletRequest(), response);
        return response;
    }

    private static MockHttpServletResponse render(Problem problem) throws Exception {
        return render(new ProblemJsonRenderer("urn:idempotency:", null), problem);
    }

    private static JsonNode body(MockHttpServletResponse response) {
        return JSON.readTree(response.getContentAsByteArray());
    }

    @ParameterizedTest
    @EnumSource(ProblemType.class)
    void everyTypeIsAWholeProblem(ProblemType type) throws Exception {
        MockHttpServletResponse response = render(Problem.of(type, "Do this."));
        assertThat(response.getStatus()).isEqualTo(type.status()).isBetween(400, 599);
        assertThat(response.getContentType()).isEqualTo("application/problem+json");
        assertThat(response.getHeader("Cache-Control")).isEqualTo("no-store");
        assertThat(response.getContentLength()).isEqualTo(response.getContentAsByteArray().length);
        assertThat(response.containsHeader("Retry-After")).isFalse();
        assertThat(response.containsHeader("Link")).isFalse();
        JsonNode body = body(response);
        assertThat(body.propertyNames()).containsExactly("type", "title", "status", "detail");
        assertThat(body.get("type").asString()).isEqualTo("urn:idempotency:" + type.code());
        assertThat(body.get("title").asString()).isEqualTo(type.title()).isNotBlank();
        assertThat(body.get("status").asInt()).isEqualTo(type.status());
        assertThat(body.get("detail").asString()).isEqualTo("Do this.");
    }

    @Test
    void codesDifferAndAreFitForAUri() {
        assertThat(Arrays.stream(ProblemType.values()).map(ProblemType::code))
                .doesNotHaveDuplicates()
                .allMatch(code -> code.matches("[a-z]+(-[a-z]+)*"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "https://example.com/problems#",
                "quote\"and\\backslash",
                "line\nbreak\r\ttab\u0000\u001f",
                "\u00e4 \u2028 \uD83D\uDE00",
                "\uD800 lone",
                "</script>",
            })
    void bodyIsValidJsonWhateverTheBaseUri(String baseUri) throws Exception {
        JsonNode body =
                body(render(new ProblemJsonRenderer(baseUri, null), Problem.of(ProblemType.KEY_MISSING, baseUri)));
        String expected = baseUri.replaceAll("[\\x00-\\x1f]", " ").replace('\uD800', '?');
        assertThat(body.get("type").asString()).isEqualTo(expected + "key-missing");
        assertThat(body.get("detail").asString()).isEqualTo(expected);
    }

    @Test
    void documentationIsLinkedWithoutReplacingOtherLinks() throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        response.addHeader("Link", "</style.css>; rel=preload");
        new ProblemJsonRenderer("urn:x:", "https://example.com/docs")
                .render(Problem.of(ProblemType.KEY_MISSING, ""), new MockHttpServletRequest(), response);
        assertThat(response.getHeaders("Link"))
                .containsExactly("</style.css>; rel=preload", "<https://example.com/docs>; rel=\"describedby\"");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 1",
        "PT-5S, 1",
        "PT0.000000001S, 1",
        "PT1S, 1",
        "PT1.000000001S, 2",
        "PT1.001S, 2",
        "PT29.999S, 30",
        "PT30S, 30",
        "PT1H, 3600",
        "P3650D, 315360000"
    })
    void retryAfterIsInWholeSecondsRoundedUpAndAtLeastOne(Duration retryAfter, String seconds) throws Exception {
        MockHttpServletResponse response = render(new Problem(ProblemType.IN_PROGRESS, "", retryAfter));
        assertThat(response.getHeader("Retry-After")).isEqualTo(seconds);
        assertThat(body(response).get("retryAfterSeconds").asString()).isEqualTo(seconds);
    }

    @Test
    void aBreakersRefusalSpeaksInTheTermsOfReducedCapacity() throws Exception {
        Problem refused = new Problem(ProblemType.COOLING_DOWN, "Later.", Duration.ofSeconds(3)).violating("breaker");
        MockHttpServletResponse response = render(new ProblemJsonRenderer("urn:x:", "https://docs"), refused);
        assertThat(body(response).get("type").asString()).isEqualTo("urn:x:cooling-down");
        assertThat(body(response).get("violated-policies").toString()).isEqualTo("[\"breaker\"]");
        assertThat(response.getHeaders("Link"))
                .containsExactlyInAnyOrder(
                        "<https://iana.org/assignments/http-problem-types#temporary-reduced-capacity>; rel=\"type\"",
                        "<https://docs>; rel=\"describedby\"");
        assertThat(refused.withStatus(429).violatedPolicies()).containsExactly("breaker");
    }
}
