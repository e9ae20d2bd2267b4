// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.key.Sha256;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a handler reads is what was signed, to the byte, whatever kind of body it is. */
class WebhookBodyContractIT extends WebhookContract {

    private static final String GITHUB_SECRET = "It's a Secret to Everybody";

    @Override
    List<String> properties() {
        List<String> properties = super.properties();
        sender(properties, "github", "github", GITHUB_SECRET, "/hooks/github");
        sender(properties, "forms", "github", GITHUB_SECRET, "/hooks/form");
        properties.add("idempotency.request.max-size=64KB");
        return properties;
    }

    private static HttpTarget.Call github(HttpTarget target, String path, String type, byte[] body, String note) {
        return target.post(path)
                .header("X-GitHub-Delivery", fresh())
                .header("X-Hub-Signature-256", "sha256=" + signature(body))
                .header("X-Note", note)
                .body(type, body);
    }

    private static String signature(byte[] body) {
        return HexFormat.of().formatHex(hmac(GITHUB_SECRET.getBytes(UTF_8), body));
    }

    private static String digest(byte[] body) {
        return HexFormat.of().formatHex(Sha256.newDigest().digest(body));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json; charset=utf-16",
                "application/json; charset=nonsense",
                "text/plain; charset=iso-8859-1",
                "application/octet-stream",
                "multipart/form-data; boundary=x",
                "application/x-www-form-urlencoded"
            })
    void theHandlerReadsTheSignedBytes(String type) {
        String note = fresh();
        byte[] body = "payload=%C3%A9&\u0000é\r\n--x\r\n\uFEFF".getBytes(UTF_8);

        Answer first = github(http(), "/hooks/github", type, body, note).send().isFirst(200);

        assertThat(first.text()).isEqualTo(digest(body));
        assertEffects(note, 1);
    }

    @Test
    void aCompressedBodyIsSignedAsItIsSent() throws Exception {
        String note = fresh();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write("{\"a\": 1}".getBytes(UTF_8));
        }
        Answer first = github(http(), "/hooks/github", "application/json", bytes.toByteArray(), note)
                .header("Content-Encoding", "gzip")
                .send()
                .isFirst(200);

        assertThat(first.text()).isEqualTo(digest(bytes.toByteArray()));
        byte[] plain = "{\"a\": 1}".getBytes(UTF_8);
        assertUnverified(
                http().post("/hooks/github")
                        .header("X-GitHub-Delivery", fresh())
                        .header("X-Hub-Signature-256", "sha256=" + signature(plain))
                        .header("X-Note", note)
                        .header("Content-Encoding", "gzip")
                        .body("application/json", bytes.toByteArray()),
                note);
    }

    /** The query string is not signed: what it says must not come before what is. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?payload=forged", "?payload=forged&payload=again&other=1", "?pay%6Coad=forged"})
    void aFormIsReadFromTheBodyAlone(String query) {
        String note = fresh();
        byte[] body = "payload=genuine&payload=second+one".getBytes(UTF_8);

        Answer first = github(http(), "/hooks/form" + query, "application/x-www-form-urlencoded", body, note)
                .send()
                .isFirst(200);

        assertThat(first.text()).isEqualTo("[genuine, second one]");
        assertEffects(note, 1);
    }

    @Test
    void aBodyOverTheBoundIsRefusedBeforeAnythingElse() {
        String note = fresh();
        byte[] large = "x".repeat(65 * 1024).getBytes(UTF_8);
        int calls = server().store().calls();

        github(http(), "/hooks/github", "text/plain", large, note).send().isProblem(413, "body-too-large");
        github(http(), "/hooks/github", "text/plain", large, note)
                .chunked()
                .send()
                .isProblem(413, "body-too-large");
        http().post("/hooks/github").body("text/plain", large).send().isProblem(413, "body-too-large");

        assertThat(server().store().calls()).isEqualTo(calls);
        assertEffects(note, 0);
    }

    @Test
    void aBodyThatIsChunkedIsVerified() {
        String note = fresh();
        byte[] body = "y".repeat(60 * 1024).getBytes(UTF_8);
        Answer first = github(http(), "/hooks/github", "text/plain", body, note)
                .chunked()
                .send()
                .isFirst(200);
        assertThat(first.text()).isEqualTo(digest(body));
    }

    /** What is announced is not taken memory for, and what breaks off is no delivery. */
    @Test
    void aBodyThatBreaksOffIsNoDelivery() {
        String note = fresh();
        String body = "{\"a\": 1}";
        RawAnswer answer = http().cutOff("POST /hooks/github HTTP/1.1\r\nHost: localhost\r\nX-Note: " + note
                + "\r\nX-GitHub-Delivery: " + fresh() + "\r\nX-Hub-Signature-256: sha256="
                + signature(body.getBytes(ISO_8859_1)) + "\r\nContent-Length: 60000\r\n\r\n" + body);
        assertThat(answer.status()).isIn(400, 408);
        assertEffects(note, 0);
    }

    @Test
    void withoutItsEventsIdASignedDeliveryIsRefusedWhereTheIdIsNotSigned() {
        String note = fresh();
        byte[] body = "{}".getBytes(UTF_8);
        http().post("/hooks/github")
                .header("X-Hub-Signature-256", "sha256=" + signature(body))
                .header("X-Note", note)
                .body("application/json", body)
                .send()
                .isProblem(400, "key-missing");
        assertEffects(note, 0);
    }
}
