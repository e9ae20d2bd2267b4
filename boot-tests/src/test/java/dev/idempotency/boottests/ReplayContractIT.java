// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first answer again: rows C23 to C29, C47 and C49. */
class ReplayContractIT extends HttpContract {

    @Test
    void aRepeatGetsTheFirstAnswerByteForByteOnEveryInstance() {
        String note = fresh();
        String key = fresh();

        Answer first = http().post("/orders").key(key).note(note).send().isFirst(201);
        Answer repeat = otherHttp().post("/orders").key(key).note(note).send().replays(first);

        assertThat(first.header("Location")).startsWith("/orders/");
        assertThat(first.header("ETag")).isEqualTo("\"v1\"");
        assertThat(first.headers("Link")).hasSize(2);
        assertThat(first.headers("Set-Cookie")).hasSize(1);
        assertThat(first.text()).contains("Zoë 李");
        assertThat(repeat.headers("Set-Cookie")).isEmpty();
        assertThat(repeat.headers("Date")).hasSize(1);
        assertThat(repeat.headers("Content-Length")).hasSize(1);
        assertThat(repeat.headers("X-Content-Type-Options")).hasSize(1);
        assertThat(repeat.headers("Cache-Control")).hasSize(1);
        assertEffects(note, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"204", "200-empty", "202", "303", "200", "201"})
    void everyKindOfSuccessIsReplayed(String step) {
        String note = fresh();
        String key = fresh();

        Answer first = http().post("/scripted").key(key).script(step).note(note).send();
        first.isFirst(Integer.parseInt(step.substring(0, 3)));
        Answer repeat = otherHttp()
                .post("/scripted")
                .key(key)
                .script(step)
                .note(note)
                .send()
                .replays(first);

        if (step.equals("204")) {
            assertThat(repeat.headers("Content-Type")).isEmpty();
            assertThat(repeat.headers("Content-Length")).isEmpty();
        } else {
            assertThat(repeat.header("Content-Length"))
                    .isEqualTo(Integer.toString(repeat.response().body().length));
        }
        assertEffects(note, 1);
    }

    @Test
    void headersThatDescribeTheClientMakeNoDifference() {
        String note = fresh();
        String key = fresh();

        Answer first = http().post("/orders").key(key).note(note).send().isFirst(201);
        http().post("/orders")
                .header("User-Agent", "another")
                .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .key(key)
                .note(note)
                .send()
                .replays(first);

        assertEffects(note, 1);
    }

    @Test
    void jsonCountsByItsValues() {
        String note = fresh();
        String key = fresh();

        Answer first = http().post("/orders")
                .key(key)
                .json("{\"note\":\"" + note + "\",\"amount\":1.0,\"tags\":[1,2],\"name\":\"Zo\\u00eb\"}")
                .send()
                .isFirst(201);
        http().post("/orders")
                .key(key)
                .json("\ufeff{ \"tags\" : [1, 2], \"amount\": 1.00, \"name\":\"Zoë\",\n\"note\":\"" + note + "\"}")
                .send()
                .replays(first);
        http().post("/orders")
                .key(key)
                .json("{\"note\":\"" + note + "\",\"amount\":1.0,\"tags\":[2,1],\"name\":\"Zo\\u00eb\"}")
                .send()
                .isProblem(422, "key-reused");

        assertEffects(note, 1);
    }

    @Test
    void numbersBeyondDoublePrecisionStayApart() {
        String note = fresh();
        String key = fresh();

        http().post("/orders")
                .key(key)
                .json("{\"note\":\"" + note + "\",\"n\":9007199254740993}")
                .send()
                .isFirst(201);
        http().post("/orders")
                .key(key)
                .json("{\"note\":\"" + note + "\",\"n\":9007199254740992}")
                .send()
                .isProblem(422, "key-reused");

        assertEffects(note, 1);
    }

    @Test
    void formsReachTheHandlerAndAreReplayed() {
        String note = fresh();
        String key = fresh();
        byte[] form = ("note=" + note + "&tag=a&to=Zo%C3%AB+x&tag=b&q=body").getBytes(StandardCharsets.UTF_8);

        for (boolean chunked : new boolean[] {false, true}) {
            HttpTarget.Call call =
                    http().post("/form?q=query").key(key + chunked).body("application/x-www-form-urlencoded", form);
            Answer first = (chunked ? call.chunked() : call).send().isFirst(200);
            assertThat(first.text()).startsWith("q=[query, body] note=[" + note + "] tag=[a, b] to=[Zoë x] ");
            http().post("/form?q=query")
                    .key(key + chunked)
                    .body("application/x-www-form-urlencoded", form)
                    .send()
                    .replays(first);
        }
        assertEffects(note, 2);

        byte[] other = ("note=" + note + "&tag=b&tag=a").getBytes(StandardCharsets.UTF_8);
        http().post("/form?q=query")
                .key(key + true)
                .body("application/x-www-form-urlencoded", other)
                .send()
                .isProblem(422, "key-reused");
        assertEffects(note, 2);
    }

    @Test
    void formsThatArePutAreReplayed() {
        String note = fresh();
        String key = fresh();
        byte[] form = ("note=" + note).getBytes(StandardCharsets.UTF_8);

        Answer first = http().call("PUT", "/form")
                .key(key)
                .body("application/x-www-form-urlencoded", form)
                .send()
                .isFirst(200);
        http().call("PUT", "/form")
                .key(key)
                .body("application/x-www-form-urlencoded", form)
                .send()
                .replays(first);
        http().call("PUT", "/form")
                .key(key)
                .body("application/x-www-form-urlencoded", ("note=x" + note).getBytes(StandardCharsets.UTF_8))
                .send()
                .isProblem(422, "key-reused");

        assertEffects(note, 1);
    }

    @Test
    void anUploadIsTheSameUnderAnotherBoundary() {
        String note = fresh();
        String key = fresh();

        Answer first = upload(key, "AAA", note, "content").isFirst(200);
        assertThat(first.text()).startsWith("a,b.txt 7 ");
        upload(key, "BBB", note, "content").replays(first);
        upload(key, "BBB", note, "changed").isProblem(422, "key-reused");

        assertEffects(note, 1);
    }

    private Answer upload(String key, String boundary, String note, String content) {
        String body = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\n" + note + "\r\n--"
                + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a,b.txt\"\r\n"
                + "Content-Type: text/plain\r\n\r\n" + content + "\r\n--" + boundary + "--\r\n";
        return http().post("/upload")
                .key(key)
                .body("multipart/form-data; boundary=" + boundary, body.getBytes(StandardCharsets.UTF_8))
                .send();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=5%|a=9%", "=5|=600", "a=1%zz|a=2%zz", "a=\u00ff|a=\u00fe"})
    void whatAFormCannotSayInParametersCountsAllTheSame(String bodies) {
        String note = fresh();
        String key = fresh();
        List<byte[]> forms = Stream.of(bodies.split("\\|"))
                .map(form -> (form + "&x=1").getBytes(StandardCharsets.ISO_8859_1))
                .toList();

        Answer first = http().post("/stream?note=" + note)
                .key(key)
                .body("application/x-www-form-urlencoded", forms.get(0))
                .send()
                .isFirst(200);
        http().post("/stream?note=" + note)
                .key(key)
                .body("application/x-www-form-urlencoded", forms.get(0))
                .send()
                .replays(first);
        http().post("/stream?note=" + note)
                .key(key)
                .body("application/x-www-form-urlencoded", forms.get(1))
                .send()
                .isProblem(422, "key-reused");

        assertEffects(note, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"multipart/related; boundary=B", "multipart/mixed; boundary=B"})
    void multipartWithoutNamesCountsByItsBytes(String contentType) {
        String note = fresh();
        String key = fresh();
        byte[] one =
                "--B\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n--B--\r\n".getBytes(StandardCharsets.UTF_8);
        byte[] other =
                "--B\r\nContent-Type: application/json\r\n\r\n{\"a\":9}\r\n--B--\r\n".getBytes(StandardCharsets.UTF_8);

        Answer first = http().post("/stream?note=" + note)
                .key(key)
                .body(contentType, one)
                .send();
        http().post("/stream?note=" + note)
                .key(key)
                .body(contentType, other)
                .send()
                .isProblem(422, "key-reused");

        assertThat(first.status()).isLessThan(500);
        assertThat(Effects.count(note)).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stream", "/reader", "/writer", "/binary"})
    void handlersReadAndWriteAsTheyLike(String path) {
        String note = fresh();
        String key = fresh();
        byte[] body = "some text".getBytes(StandardCharsets.UTF_8);

        Answer first = http().post(path + "?note=" + note)
                .key(key)
                .body("text/plain", body)
                .send()
                .isFirst(200);
        http().post(path + "?note=" + note)
                .key(key)
                .body("text/plain", body)
                .send()
                .replays(first);

        if (path.equals("/stream")) {
            assertThat(first.text()).startsWith("9 ");
        }
        if (path.equals("/reader")) {
            assertThat(first.text()).startsWith("some text ");
        }
        if (path.equals("/writer")) {
            assertThat(new String(first.response().body(), StandardCharsets.ISO_8859_1))
                    .startsWith("Zoë ");
            assertThat(first.header("Content-Type")).isEqualToIgnoringCase("text/plain;charset=ISO-8859-1");
        }
        assertEffects(note, 1);
    }

    @Test
    void anAnswerTooLargeToKeepIsSentWholeAndNotRunAgain() {
        String note = fresh();
        String key = fresh();

        Answer first = http().post("/scripted")
                .key(key)
                .script("large")
                .note(note)
                .send()
                .isFirst(200);
        assertThat(first.text()).hasSize(300_000);
        http().post("/scripted").key(key).script("large").note(note).send().isProblem(409, "result-unavailable");

        assertEffects(note, 1);
    }
}
