// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An answer, with the assertions that rows of the contract are made of. */
record Answer(HttpResponse<byte[]> response) {

    static final String MARK = "Idempotent-Replayed";

    int status() {
        return response.statusCode();
    }

    String text() {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    String header(String name) {
        return response.headers().firstValue(name).orElse(null);
    }

    List<String> headers(String name) {
        return response.headers().allValues(name);
    }

    Answer isFirst(int status) {
        assertThat(status()).as(this::text).isEqualTo(status);
        assertThat(headers(MARK)).isEmpty();
        return this;
    }

    /** Status, bytes and header lines are those of the first answer, and the mark says so. */
    Answer replays(Answer first) {
        assertThat(headers(MARK)).as(this::text).containsExactly("true");
        assertThat(status()).isEqualTo(first.status());
        assertThat(response.body()).isEqualTo(first.response.body());
        assertThat(resourceHeaders()).isEqualTo(first.resourceHeaders());
        return this;
    }

    /** What belongs to the answer rather than to the exchange. */
    private Map<String, List<String>> resourceHeaders() {
        Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
        headers.keySet()
                .removeIf(name -> name.startsWith("access-control-")
                        || List.of(
                                        "date",
                                        "set-cookie",
                                        "connection",
                                        "keep-alive",
                                        "transfer-encoding",
                                        "content-length",
                                        "idempotent-replayed")
                                .contains(name));
        return headers;
    }

    Answer isProblem(int status, String type) {
        assertThat(status()).as(this::text).isEqualTo(status);
        assertThat(header("Content-Type")).startsWith("application/problem+json");
        assertThat(text()).contains("\"type\":\"urn:idempotency:" + type + "\"", "\"status\":" + status);
        assertThat(headers(MARK)).isEmpty();
        return this;
    }

    /** Whole seconds, at least one. */
    Answer hasRetryAfter() {
        assertThat(header("Retry-After")).matches("[1-9][0-9]*");
        return this;
    }
}
