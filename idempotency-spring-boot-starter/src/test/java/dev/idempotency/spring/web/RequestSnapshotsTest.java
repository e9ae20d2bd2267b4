// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.json.JsonPointer;
import dev.idempotency.spring.identity.BufferedRequest;
import dev.idempotency.spring.json.Jackson3Tokenizer;
import dev.idempotency.store.StoredResponse.Field;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class RequestSnapshotsTest {

    private static final int MAX_BODY = 64 * 1024;

    private static RequestSnapshot snapshot(MockHttpServletRequest request) throws Exception {
        return new RequestSnapshots(SnapshotRules.DEFAULTS).of(new BufferedRequest(request, 1_000_000, true));
    }

    private static MockHttpServletRequest post(int length) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders/7");
        byte[] body = new byte[length];
        java.util.Arrays.fill(body, (byte) 'x');
        request.setContent(body);
        return request;
    }

    @Test
    void holdsWhatWasAskedAndByWhom() throws Exception {
        MockHttpServletRequest request = post(3);
        request.setQueryString("a=1");
        request.addHeader("X-Idempotency-Key", "K1");
        request.addHeader("Accept", "text/html");
        request.addHeader("Accept", "text/plain");
        Principal principal = () -> "alice";
        request.setUserPrincipal(principal);
        RequestSnapshot snapshot = snapshot(request);
        assertThat(snapshot.method()).isEqualTo("POST");
        assertThat(snapshot.target()).isEqualTo("/orders/7");
        assertThat(snapshot.query()).isEqualTo("a=1");
        assertThat(snapshot.principal()).isEqualTo("alice");
        assertThat(snapshot.body().bytes()).hasSize(3);
        assertThat(snapshot.bodyComplete()).isTrue();
        assertThat(snapshot.fields())
                .contains(
                        new Field("X-Idempotency-Key", "K1"),
                        new Field("Accept", "text/html"),
                        new Field("Accept", "text/plain"));
    }

    @Test
    void credentialsAreLeftOut() throws Exception {
        MockHttpServletRequest request = post(1);
        request.addHeader("Authorization", "Bearer x");
        request.addHeader("Cookie", "session=x");
        request.addHeader("X-Signature", "x");
        assertThat(snapshot(request).fields()).extracting(Field::value).doesNotContain("Bearer x", "session=x", "x");
    }

    @Test
    void longBodyIsShortenedAndSaysSo() throws Exception {
        assertThat(snapshot(post(MAX_BODY)).bodyComplete()).isTrue();
        assertThat(snapshot(post(MAX_BODY)).body().size()).isEqualTo(MAX_BODY);
        assertThat(snapshot(post(MAX_BODY + 1)).bodyComplete()).isFalse();
        assertThat(snapshot(post(MAX_BODY + 1)).body().size()).isEqualTo(MAX_BODY);
    }

    @Test
    void multipartBodyIsNotThereAndSaysSo() throws Exception {
        MockHttpServletRequest request = post(10);
        request.setContentType("multipart/form-data; boundary=x");
        assertThat(snapshot(request).bodyComplete()).isFalse();
        assertThat(snapshot(request).body().size()).isZero();
    }

    @Test
    void anonymousRequestWithoutBodyIsComplete() throws Exception {
        RequestSnapshot snapshot = snapshot(new MockHttpServletRequest("DELETE", "/orders/7"));
        assertThat(snapshot.principal()).isNull();
        assertThat(snapshot.query()).isNull();
        assertThat(snapshot.bodyComplete()).isTrue();
    }

    private static final SnapshotRules REDACTING = SnapshotRules.of(
            List.of("X-Event-Token"),
            List.of("X-Internal"),
            List.of(JsonPointer.parse("/card/number")),
            new Jackson3Tokenizer(),
            40);

    private static RequestSnapshot redacted(MockHttpServletRequest request) throws Exception {
        return new RequestSnapshots(REDACTING).of(new BufferedRequest(request, 1_000, true));
    }

    private static MockHttpServletRequest json(String body) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders");
        request.setContentType("application/json");
        request.setContent(body.getBytes(StandardCharsets.UTF_8));
        return request;
    }

    @Test
    void headersOfTheKeyAreKeptAndWhatIsLeftOutIsNamed() throws Exception {
        MockHttpServletRequest request = json("{}");
        request.addHeader("X-Event-Token", "e1");
        request.addHeader("X-Internal", "x");
        request.addHeader("Authorization", "x");
        request.addHeader("traceparent", "x");
        RequestSnapshot snapshot = redacted(request);
        assertThat(snapshot.fields()).contains(new Field("X-Event-Token", "e1"));
        assertThat(snapshot.fields()).extracting(Field::value).doesNotContain("x");
        assertThat(snapshot.withheldFields()).containsExactlyInAnyOrder("X-Internal", "Authorization");
    }

    @Test
    void valuesAreReplacedBeforeABodyIsShortened() throws Exception {
        String number = "4".repeat(60);
        RequestSnapshot snapshot = redacted(json("{\"card\":{\"number\":\"" + number + "\"}}"));
        assertThat(new String(snapshot.body().bytes(), StandardCharsets.UTF_8))
                .isEqualTo("{\"card\":{\"number\":\"[redacted]\"}}");
        assertThat(snapshot.redactedPointers()).containsExactly("/card/number");
        assertThat(snapshot.isBodyOriginal()).isFalse();
    }

    @Test
    void aBodyWithoutSuchValuesIsKeptAsItWasSent() throws Exception {
        RequestSnapshot snapshot = redacted(json("{ \"a\" : 1.0 }"));
        assertThat(new String(snapshot.body().bytes(), StandardCharsets.UTF_8)).isEqualTo("{ \"a\" : 1.0 }");
        assertThat(snapshot.isBodyOriginal()).isTrue();
    }

    @Test
    void aBodyThatCannotBeLookedThroughIsNotKept() throws Exception {
        RequestSnapshot broken = redacted(json("{\"card\":{\"number\":\"4"));
        assertThat(broken.body().size()).isZero();
        assertThat(broken.isBodyOriginal()).isFalse();

        SnapshotRules withoutJson = SnapshotRules.of(List.of(), List.of(), List.of(JsonPointer.parse("/a")), null, 40);
        RequestSnapshot unread =
                new RequestSnapshots(withoutJson).of(new BufferedRequest(json("{\"a\":1}"), 1_000, true));
        assertThat(unread.body().size()).isZero();
        assertThat(unread.isBodyOriginal()).isFalse();
    }
}
