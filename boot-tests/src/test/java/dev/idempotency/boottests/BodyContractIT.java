// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that are cut off, malformed, huge, unread or read by somebody else: row C40 and the neighbours of C47 and C49. */
class BodyContractIT extends HttpContract {

    private static final String FORM = "application/x-www-form-urlencoded";

    @Override
    List<String> properties() {
        return List.of(
                "idempotency.request.max-size=20KB",
                "spring.servlet.multipart.max-file-size=8KB",
                "spring.servlet.multipart.max-request-size=100KB");
    }

    private static String head(String path, String key, String... lines) {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Idempotency-Key: " + key
                + "\r\n" + String.join("\r\n", lines) + "\r\n\r\n";
    }

    @Test
    void aBodyThatEndsEarlyIsNoRequest() {
        String note = fresh();
        String key = fresh();
        String path = "/raw-body?note=" + note;
        int calls = server().store().calls();
        String boundary = "Content-Type: multipart/form-data; boundary=x";

        for (String request : List.of(
                head(path, key, "Content-Type: application/json", "Content-Length: 100") + "{\"half\":",
                head(path, key, "Content-Type: text/plain", "Content-Length: 100"),
                head(path, key, "Content-Type: " + FORM, "Content-Length: 100") + "a=1",
                head(path, key, "Content-Type: application/json", "Transfer-Encoding: chunked") + "8\r\n{\"half",
                head(path, key, "Content-Type: application/json", "Transfer-Encoding: chunked") + "3\r\nabc\r\n",
                head(path, key, "Content-Type: application/json", "Transfer-Encoding: chunked")
                        + "zz\r\nabc\r\n0\r\n\r\n",
                head(path, key, boundary, "Content-Length: 500") + "--x\r\nContent-Disposition: form-data; name=\"a")) {
            RawAnswer answer = http().cutOff(request);
            assertThat(answer.status()).as(request).isEqualTo(400);
            assertThat(answer.headers(Answer.MARK)).isEmpty();
        }

        assertThat(server().store().calls()).isEqualTo(calls);
        assertEffects(note, 0);
        http().post(path).key(key).body("text/plain", new byte[] {1}).send().isFirst(200);
    }

    @Test
    void aClientThatWaitsToBeToldIsTold() throws Exception {
        String note = fresh();
        String path = "/raw-body?note=" + note;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), http().port())) {
            socket.setSoTimeout(10_000);
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
            String head = head(path, fresh(), "Content-Type: text/plain", "Content-Length: 5", "Expect: 100-continue");
            socket.getOutputStream().write(head.getBytes(ISO_8859_1));
            assertThat(in.readLine()).startsWith("HTTP/1.1 100");
            assertThat(in.readLine()).isEmpty();
            assertEffects(note, 0);

            socket.getOutputStream().write("12345".getBytes(ISO_8859_1));
            assertThat(in.readLine()).startsWith("HTTP/1.1 200");
            assertThat(in.lines().toList()).anyMatch(line -> line.startsWith("5 "));
        }
        assertEffects(note, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/plain", FORM, "application/octet-stream", "no type at all"})
    void anEmptyBodyIsABody(String type) {
        String note = fresh();
        String key = fresh();
        String path = "/raw-body?note=" + note;

        Answer first = http().post(path).key(key).body(type, new byte[0]).send();
        if (type.startsWith("no")) {
            first.isFirst(415);
            return;
        }
        first.isFirst(200);
        http().post(path).key(key).body(type, new byte[0]).send().replays(first);
        assertEffects(note, 1);
    }

    @Test
    void anEmptyBodyWhereOneIsRequiredIsTheHandlersToRefuse() {
        String note = fresh();
        String key = fresh();

        http().post("/orders").key(key).json("").send().isFirst(400);
        http().post("/orders").key(key).note(note).send().isFirst(201);
        assertEffects(note, 1);
    }

    @Test
    void aBodyThatNobodyReadsCountsAllTheSame() {
        String note = fresh();
        String key = fresh();
        byte[] body = "x".repeat(15_000).getBytes(UTF_8);

        Answer first = http().post("/guarded?note=" + note)
                .key(key)
                .body("text/plain", body)
                .send()
                .isFirst(200);
        http().post("/guarded?note=" + note)
                .key(key)
                .body("text/plain", body)
                .chunked()
                .send()
                .replays(first);
        body[14_999] = 'y';
        http().post("/guarded?note=" + note)
                .key(key)
                .body("text/plain", body)
                .send()
                .isProblem(422, "key-reused");
        assertEffects(note, 1);
    }

    @ParameterizedTest
    @CsvSource({
        "parameters, application/json",
        "caching, application/json",
        "serves-again, application/json",
        "parameters, application/x-www-form-urlencoded",
        "caching, application/x-www-form-urlencoded"
    })
    void aBodyThatAFilterInFrontHasReadIsStillThere(String front, String type) {
        String note = fresh();
        String key = fresh();
        String path = type.equals(FORM) ? "/form" : "/orders";

        Answer first = send(front, type, path, key, note, "1");
        assertThat(first.status()).isIn(200, 201);
        send(front, type, path, key, note, "1").replays(first);
        send(front, type, path, key, note, "2").isProblem(422, "key-reused");
        send("none", type, path, key, note, "1").replays(first);
        assertEffects(note, 1);
    }

    private Answer send(String front, String type, String path, String key, String note, String value) {
        String body =
                type.equals(FORM) ? "note=" + note + "&v=" + value : "{\"note\":\"" + note + "\",\"v\":" + value + "}";
        return http().post(path)
                .key(key)
                .header("X-Front", front)
                .body(type, body.getBytes(UTF_8))
                .send();
    }

    @Test
    void aBodyThatAFilterInFrontHasInflatedIsReadToItsEnd() throws Exception {
        String note = fresh();
        String key = fresh();
        String path = "/stream?note=" + note;
        byte[] small = new byte[15_000];
        byte[] other = new byte[15_000];
        other[14_999] = 1;

        Answer first = deflated(path, key, small).isFirst(200);
        assertThat(first.text()).startsWith("15000 ");
        deflated(path, key, small).replays(first);
        deflated(path, key, other).isProblem(422, "key-reused");
        deflated(path, fresh(), new byte[1_000_000]).isProblem(413, "body-too-large");
        assertEffects(note, 1);
    }

    private Answer deflated(String path, String key, byte[] body) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
            deflater.write(body);
        }
        return http().post(path)
                .key(key)
                .header("X-Front", "inflate")
                .body("application/octet-stream", out.toByteArray())
                .send();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1,\"a\":2} | {\"a\":2,\"a\":1}",
                "{\"a\":\"\u00ff\"} | {\"a\":\"\u00fe\"}",
                "{\"a\": | {\"b\":",
                "[1,] | [2,]",
                "1 | 2",
                "\"\\ud800\" | \"\\ud801\"",
                "{\"a\":1e400} | {\"a\":1e401}",
                "{\"order_id\":[1]} | {\"order_id\":{}}"
            })
    void strangeJsonIsToldApart(String one, String other) {
        String note = fresh();
        String key = fresh();
        String path = "/raw-body?note=" + note;

        Answer first = json(path, key, one);
        if (one.contains("order_id")) {
            first.isProblem(400, "key-invalid");
            json(path, key, other).isProblem(400, "key-invalid");
            assertEffects(note, 0);
            return;
        }
        first.isFirst(200);
        json(path, key, one).replays(first);
        json(path, key, other).isProblem(422, "key-reused");
        assertEffects(note, 1);
    }

    @Test
    void deepJsonIsToldApart() {
        String note = fresh();
        String key = fresh();
        String path = "/raw-body?note=" + note;
        String deep = "[".repeat(9_000) + "]".repeat(9_000);

        Answer first = json(path, key, deep).isFirst(200);
        json(path, key, deep).replays(first);
        json(path, key, "[" + deep + "]").isProblem(422, "key-reused");
        assertEffects(note, 1);

        String order = fresh();
        http().post("/orders").key(order).json("{\"note\":" + deep + "}").send().isFirst(400);
        http().post("/orders").key(order).note(order).send().isFirst(201);
    }

    private Answer json(String path, String key, String json) {
        return http().post(path)
                .key(key)
                .body("application/json", json.getBytes(ISO_8859_1))
                .send();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json;charset=nonsense",
                "application/x-www-form-urlencoded;charset=nonsense",
                "text/plain;charset=\"\"",
                "multipart/form-data",
                "multipart/form-data; boundary=",
                "multipart/mixed; boundary=x"
            })
    void aContentTypeThatMakesNoSenseIsNoFailureOfOurs(String type) {
        String note = fresh();
        String key = fresh();
        String path = "/raw-body?note=" + note;

        for (int i = 0; i < 5; i++) {
            Answer answer =
                    http().post(path).key(key).body(type, "a=1".getBytes(UTF_8)).send();
            assertThat(answer.status()).as(answer::text).isLessThan(500);
        }
        assertThat(Effects.count(note)).isLessThanOrEqualTo(1);
    }

    @Test
    void aQueryThatMakesNoSenseIsNoFailureOfOurs() {
        for (String path : List.of("/form?a=%zz", "/orders?a=%zz", "/orders?a=%", "/orders?%ff=1&=&&")) {
            String note = fresh();
            String raw = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Idempotency-Key: "
                    + note + "\r\n"
                    + (path.startsWith("/form") ? "Content-Type: " + FORM : "Content-Type: application/json");
            String body = path.startsWith("/form") ? "note=" + note : "{\"note\":\"" + note + "\"}";
            for (int i = 0; i < 5; i++) {
                RawAnswer answer =
                        new RawAnswer(http().raw(raw + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body));
                assertThat(answer.status()).as(answer.text()).isLessThan(500);
            }
            assertThat(Effects.count(note)).as(path).isLessThanOrEqualTo(1);
        }
    }

    private static String part(String disposition, String content) {
        return "--AAA\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + content + "\r\n";
    }

    private Answer multipart(String path, String key, boolean chunked, String... parts) {
        HttpTarget.Call call = http().post(path)
                .key(key)
                .body("multipart/form-data; boundary=AAA", (String.join("", parts) + "--AAA--\r\n").getBytes(UTF_8));
        return (chunked ? call.chunked() : call).send();
    }

    @Test
    void anUploadOverTheContainersLimitsIsRefusedByTheApplication() {
        String note = fresh();
        String key = fresh();
        String large = part("name=\"file\"; filename=\"f\"", "x".repeat(10_000));

        for (boolean chunked : new boolean[] {false, true, false, true}) {
            assertThat(multipart("/upload?note=" + note, key, chunked, large).status())
                    .isEqualTo(413);
        }
        assertEffects(note, 0);
        multipart("/upload?note=" + note, key, false, part("name=\"file\"; filename=\"f\"", "small"))
                .isFirst(200);
    }

    @Test
    void anUploadOverOurCapIsRefusedByUs() {
        String note = fresh();
        String file = part("name=\"file\"; filename=\"f\"", "x".repeat(8_000));

        for (boolean chunked : new boolean[] {false, true}) {
            multipart("/upload?note=" + note, fresh(), chunked, file, file, file)
                    .isProblem(413, "body-too-large");
        }
        assertEffects(note, 0);
    }

    @Test
    void anUploadWithoutAFileIsTheHandlersToRefuse() {
        String note = fresh();
        String key = fresh();

        multipart("/upload", key, false, part("name=\"note\"", note)).isFirst(400);
        multipart("/upload", key, false).isFirst(400);
        multipart("/upload", key, false, part("name=\"note\"", note), part("name=\"file\"; filename=\"f\"", "x"))
                .isFirst(200);
        assertEffects(note, 1);
    }

    @Test
    void anUploadThatTheContainerDoesNotTakeApartCountsByItsBytes() {
        String note = fresh();
        String key = fresh();
        String path = "/plain/upload?note=" + note;

        Answer first = multipart(path, key, false, part("name=\"a\"", "1")).isFirst(200);
        assertThat(first.text()).doesNotStartWith("0 ");
        multipart(path, key, true, part("name=\"a\"", "1")).replays(first);
        multipart(path, key, false, part("name=\"a\"", "2")).isProblem(422, "key-reused");
        assertEffects(note, 1);
    }
}
