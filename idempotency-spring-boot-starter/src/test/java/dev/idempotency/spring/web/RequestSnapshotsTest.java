// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.spring.identity.BufferedRequest;
import dev.idempotency.store.StoredResponse.Field;
import java.security.Principal;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class RequestSnapshotsTest {

    private static final int MAX_BODY = 64 * 1024;

    private static RequestSnapshot snapshot(MockHttpServletRequest request) throws Exception {
        return RequestSnapshots.of(new BufferedRequest(request, 1_000_000, true));
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
}
