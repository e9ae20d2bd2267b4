// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.store.Payload;
import dev.idempotency.store.StoredResponse;
import dev.idempotency.store.StoredResponse.Field;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletResponse;

class StoredAnswersTest {

    private final StoredAnswers answers = new StoredAnswers("Idempotent-Replayed");
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    private void replay(int status, String body, Field... fields) throws Exception {
        answers.replay(new StoredResponse(status, List.of(fields), Payload.of(body.getBytes(UTF_8))), response);
    }

    @Test
    void answerIsGivenAgainWithTheMark() throws Exception {
        replay(
                201,
                "\"\u00e4\"",
                new Field("Content-Type", "application/json"),
                new Field("Location", "/orders/7"),
                new Field("ETag", "\"v1\""));
        assertThat(response.getStatus()).isEqualTo(201);
        assertThat(response.getContentAsByteArray()).isEqualTo("\"\u00e4\"".getBytes(UTF_8));
        assertThat(response.getContentType()).isEqualTo("application/json");
        assertThat(response.getContentLength()).isEqualTo(4);
        assertThat(response.getHeader("Location")).isEqualTo("/orders/7");
        assertThat(response.getHeader("ETag")).isEqualTo("\"v1\"");
        assertThat(response.getHeaders("Idempotent-Replayed")).containsExactly("true");
        assertThat(response.containsHeader("Access-Control-Expose-Headers")).isFalse();
    }

    @Test
    void linesOfOneNameComeBackEachAndInOrder() throws Exception {
        replay(200, "", new Field("Link", "<a>, <b>"), new Field("link", "<c>"), new Field("X", "1"));
        assertThat(response.getHeaders("Link")).containsExactly("<a>, <b>", "<c>");
    }

    @Test
    void headersThatThisExchangeHasAlreadyAreReplacedExceptVary() throws Exception {
        response.addHeader("Cache-Control", "no-cache");
        response.addHeader("Vary", "Origin");
        replay(200, "", new Field("Cache-Control", "max-age=5"), new Field("Vary", "Accept"));
        assertThat(response.getHeaders("Cache-Control")).containsExactly("max-age=5");
        assertThat(response.getHeaders("Vary")).containsExactly("Origin", "Accept");
    }

    @Test
    void markIsExposedToScriptsOfAnAllowedOrigin() throws Exception {
        response.addHeader("Access-Control-Allow-Origin", "https://example.com");
        response.addHeader("Access-Control-Expose-Headers", "ETag");
        replay(200, "");
        assertThat(response.getHeaders("Access-Control-Expose-Headers")).containsExactly("ETag", "Idempotent-Replayed");
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 205, 304, 199, 100})
    void statusWithoutContentHasNone(int status) throws Exception {
        assertThat(StoredAnswers.hasBody(status)).isFalse();
        replay(status, "");
        assertThat(response.containsHeader("Content-Length")).isFalse();
        assertThat(response.getContentAsByteArray()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 206, 303, 400, 500})
    void anyOtherStatusHasALengthEvenIfItIsZero(int status) throws Exception {
        assertThat(StoredAnswers.hasBody(status)).isTrue();
        replay(status, "");
        assertThat(response.getHeader("Content-Length")).isEqualTo("0");
    }
}
