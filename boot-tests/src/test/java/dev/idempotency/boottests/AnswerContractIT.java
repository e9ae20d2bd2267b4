// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers as they are on the wire, however the handler writes them: rows C24 to C27 and C44. */
class AnswerContractIT extends HttpContract {

    @Override
    List<String> properties() {
        return List.of("server.error.include-message=always", "spring.web.error.include-message=always");
    }

    private RawAnswer post(String path, String key, String... headerLines) {
        return http().rawPost(path, key, "x", headerLines);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "length",
                "length-header",
                "length-int-header",
                "length-too-long",
                "transfer-encoding",
                "reset",
                "reset-buffer",
                "locale"
            })
    void anAnswerHasOneLengthAndOneDateHoweverItIsWritten(String kind) {
        String note = fresh();
        String key = fresh();
        String path = "/answers/" + kind + "?note=" + note;

        RawAnswer first = post(path, key).isWellFramed(false);
        RawAnswer repeat = post(path, key).isWellFramed(true);

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("hello world");
        assertThat(repeat.status()).isEqualTo(200);
        assertThat(repeat.body()).isEqualTo(first.body());
        for (String name : List.of("Content-Type", "Content-Language", "X-Unique", "X-Reset")) {
            assertThat(repeat.headers(name)).as(name).isEqualTo(first.headers(name));
        }
        assertThat(first.headers("X-Reset")).isEmpty();
        assertEffects(note, 1);
    }

    @Test
    void aDeclaredLengthBoundsTheBody() {
        String key = fresh();
        String path = "/answers/length-too-short?note=" + fresh();

        RawAnswer first = post(path, key).isWellFramed(false);
        assertThat(first.body()).isEqualTo("hel");
        assertThat(post(path, key).isWellFramed(true).body()).isEqualTo("hel");
    }

    @Test
    void whatBelongsToAConnectionIsNotStored() {
        String key = fresh();
        String path = "/answers/connection-close?note=" + fresh();

        post(path, key).isWellFramed(false);
        assertThat(post(path, key).isWellFramed(true).headers("Keep-Alive")).isEmpty();
    }

    @Test
    void theFirstAnswersDateIsTheHandlersAndTheRepeatsIsItsOwn() {
        String key = fresh();
        String path = "/answers/date?note=" + fresh();

        RawAnswer first = post(path, key).isWellFramed(false);
        RawAnswer repeat = post(path, key).isWellFramed(true);

        String epoch = "Thu, 01 Jan 1970 00:00:00 GMT";
        assertThat(first.headers("Date")).containsExactly(epoch);
        assertThat(repeat.headers("Date")).doesNotContain(epoch);
        for (RawAnswer answer : List.of(first, repeat)) {
            assertThat(answer.headers("Last-Modified")).containsExactly(epoch);
            assertThat(answer.headers("X-Other-Date")).containsExactly(epoch);
        }
    }

    @Test
    void whatBelongsToOneExchangeIsNotStored() {
        String key = fresh();
        String path = "/answers/of-this-exchange?note=" + fresh();

        RawAnswer first = post(path, key).isWellFramed(false);
        RawAnswer repeat = post(path, key).isWellFramed(true);

        assertThat(first.headers("Set-Cookie")).hasSize(2);
        for (String name : List.of(
                "Server-Timing",
                "traceparent",
                "X-Request-Id",
                "RateLimit-Remaining",
                "WWW-Authenticate",
                "Access-Control-Allow-Origin")) {
            assertThat(first.headers(name)).as(name).hasSize(1);
            assertThat(repeat.headers(name)).as(name).isEmpty();
        }
        assertThat(repeat.headers("Set-Cookie")).isEmpty();
        for (String name : List.of("X-Content-Type-Options", "X-Frame-Options", "Cache-Control")) {
            assertThat(first.headers(name)).as(name).hasSize(1);
            assertThat(repeat.headers(name)).as(name).hasSize(1);
        }
    }

    @Test
    void afterAFlushNothingButTheBodyChanges() {
        String key = fresh();
        String path = "/answers/flush?note=" + fresh();

        for (boolean replayed : new boolean[] {false, true}) {
            RawAnswer answer = post(path, key).isWellFramed(replayed);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("hello worldhello world");
            assertThat(answer.headers("X-Late")).isEmpty();
            assertThat(answer.headers("Set-Cookie")).isEmpty();
            assertThat(answer.headers("Content-Type")).hasSize(1).allMatch(type -> type.startsWith("text/plain"));
        }
    }

    @ParameterizedTest
    @CsvSource({"flush-stream, a", "reset-after-flush, hello world refused"})
    void aFlushIsFinalForTheHandlerAlone(String kind, String body) {
        String key = fresh();
        String path = "/answers/" + kind + "?note=" + fresh();

        assertThat(post(path, key).isWellFramed(false).body()).isEqualTo(body);
        assertThat(post(path, key).isWellFramed(true).body()).isEqualTo(body);
    }

    @Test
    void theCharsetOfAWriterIsFixedOnceItIsThere() {
        String key = fresh();
        String path = "/answers/writer?note=" + fresh();

        RawAnswer first = post(path, key).isWellFramed(false);
        RawAnswer repeat = post(path, key).isWellFramed(true);

        assertThat(first.headers("Content-Type").get(0)).isEqualToIgnoringCase("text/plain;charset=UTF-16BE");
        assertThat(repeat.headers("Content-Type")).isEqualTo(first.headers("Content-Type"));
        assertThat(repeat.body()).isEqualTo(first.body()).hasSize(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"204", "205", "304", "201"})
    void aStatusAloneIsReplayed(String status) {
        String note = fresh();
        String key = fresh();
        String path = "/answers/" + status + "?note=" + note;

        RawAnswer first = post(path, key);
        RawAnswer repeat = post(path, key);

        assertThat(first.status()).isEqualTo(Integer.parseInt(status));
        assertThat(repeat.status()).isEqualTo(first.status());
        assertThat(repeat.headers(Answer.MARK)).containsExactly("true");
        for (String name : List.of("Content-Length", "Transfer-Encoding", "Content-Type")) {
            assertThat(repeat.headers(name)).as(name).isEqualTo(first.headers(name));
        }
        assertThat(first.headers("Transfer-Encoding")).isEmpty();
        assertThat(first.body()).isEmpty();
        assertThat(repeat.body()).isEmpty();
        assertEffects(note, 1);
    }

    @Test
    void aStatusThatEndsNothingLeavesNoRecord() {
        String note = fresh();
        String key = fresh();

        for (int i = 1; i <= 2; i++) {
            assertThat(post("/answers/103?note=" + note, key).headers(Answer.MARK))
                    .isEmpty();
            assertEffects(note, i);
        }
    }

    static Stream<String> redirects() {
        boolean servlet61 = Stream.of(HttpServletResponse.class.getMethods())
                .anyMatch(method -> method.getName().equals("sendRedirect") && method.getParameterCount() == 3);
        return servlet61 ? Stream.of("plain", "status", "keep", "all", "all-keep") : Stream.of("plain");
    }

    @ParameterizedTest
    @MethodSource("redirects")
    void aRedirectIsReplayedInEveryForm(String form) {
        for (String to : List.of("/there?x=1", "there", "https://other.example/there")) {
            String note = fresh();
            String key = fresh();
            String path = "/redirects/" + form + "?note=" + note + "&to=" + to;

            RawAnswer first = post(path, key).isWellFramed(false);
            RawAnswer repeat = post(path, key).isWellFramed(true);

            assertThat(first.headers("Location")).hasSize(1);
            assertThat(first.headers("Location").get(0)).endsWith(to);
            assertThat(first.headers("X-Late")).isEmpty();
            assertThat(first.status()).isEqualTo(form.equals("status") ? 303 : form.startsWith("all") ? 307 : 302);
            assertThat(first.body()).isEqualTo(form.endsWith("keep") ? "see there" : "");
            assertThat(repeat.status()).isEqualTo(first.status());
            assertThat(repeat.headers("Location")).isEqualTo(first.headers("Location"));
            assertThat(repeat.body()).isEqualTo(first.body());
            assertEffects(note, 1);
        }
    }

    @Test
    void anAnswerWrittenInChunksPastTheCapIsSentWhole() {
        String note = fresh();
        String key = fresh();

        Answer first =
                http().post("/answers/chunks?note=" + note).key(key).send().isFirst(200);
        assertThat(first.text()).hasSize(300_000);
        otherHttp().post("/answers/chunks?note=" + note).key(key).send().isProblem(409, "result-unavailable");

        assertEffects(note, 1);
    }

    @Test
    void anErrorPagePastTheCapIsSentWhole() {
        String note = fresh();
        String key = fresh();

        Answer first = http().post("/large-error-page?note=" + note).key(key).send();
        assertThat(first.isFirst(402).text()).hasSizeGreaterThan(300_000);
        http().post("/large-error-page?note=" + note).key(key).send().isProblem(409, "result-unavailable");

        assertEffects(note, 1);
    }

    @Test
    void trailersArriveWithTheFirstAnswer() {
        String key = fresh();
        String path = "/answers/trailers?note=" + fresh();

        RawAnswer first = post(path, key, "TE: trailers");
        assertThat(first.headers("Transfer-Encoding")).containsExactly("chunked");
        assertThat(first.headers("Content-Length")).isEmpty();
        assertThat(first.body()).contains("hello world").contains("x-digest: 1");
        assertThat(post(path, key).isWellFramed(true).body()).isEqualTo("hello world");
    }

    @ParameterizedTest
    @CsvSource({"send-error-409, 409, 0", "send-error-500, 500, 0", "throw, 500, 0", "throw-afterwards, 500, 1"})
    void anErrorOfAFilterBehindOursIsAnErrorOfTheRequest(String inner, int status, int effects) {
        String note = fresh();
        String key = fresh();
        String path = "/guarded?note=" + note;

        http().post(path).key(key).header("X-Inner", inner).send().isFirst(status);
        assertEffects(note, effects);

        http().post(path).key(key).send().isFirst(200);
        assertEffects(note, effects + 1);
    }

    @ParameterizedTest
    @CsvSource({"answer, 202, 0", "wrap, 200, 1"})
    void anAnswerOfAFilterBehindOursIsTheAnswer(String inner, int status, int effects) {
        String note = fresh();
        String key = fresh();
        String path = "/guarded?note=" + note;

        Answer first =
                http().post(path).key(key).header("X-Inner", inner).send().isFirst(status);
        assertThat(first.text()).isNotEmpty();
        assertThat(first.headers("X-Wrapped")).hasSize(effects);
        http().post(path).key(key).header("X-Inner", inner).send().replays(first);

        assertEffects(note, effects);
    }
}
