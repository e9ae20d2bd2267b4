// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers that forward, include and render: all of it belongs to the first answer (C44). */
class DispatchContractIT extends HttpContract {

    private Answer post(String path, String key) {
        return otherHttp()
                .post(path)
                .key(key)
                .body("text/plain", "x".getBytes(StandardCharsets.UTF_8))
                .send();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/forward-view?",
                "/forward-request?to=/forward-target&",
                "/forward-request?to=/write-target&",
                "/forward-request?to=/stream-target&",
                "/forward-context?to=/forward-target&",
                "/forward-context?to=/write-target&",
                "/include?to=/write-target&",
                "/rendered?"
            })
    void theAnswerOfAnotherDispatchIsWhole(String path) {
        String note = fresh();
        String key = fresh();

        Answer first = post(path + "note=" + note, key).isFirst(200);
        post(path + "note=" + note, key).replays(first);

        assertThat(first.text()).hasSizeGreaterThan(30);
        assertThat(first.header("Content-Length"))
                .isEqualTo(Integer.toString(first.response().body().length));
        assertEffects(note, 1);
    }

    @Test
    void whatAnIncludedResourceMayNotSetIsNotReplayedEither() {
        String key = fresh();
        String path = "/include?to=/write-target&note=" + fresh();

        Answer first = post(path, key).isFirst(200);
        Answer repeat = post(path, key).replays(first);

        assertThat(first.text()).startsWith("before Zoë ").endsWith(" after");
        assertThat(first.headers("X-Target")).isEmpty();
        assertThat(repeat.headers("X-Target")).isEmpty();
    }

    @Test
    void whatWasSetBeforeAForwardStays() {
        String key = fresh();
        String path = "/forward-view?note=" + fresh();

        Answer first = post(path, key).isFirst(200);
        assertThat(first.header("X-Before")).isEqualTo("1");
        post(path, key).replays(first);
    }

    @Test
    void aForwardAddsItsParametersToThoseOfAForm() {
        String note = fresh();
        byte[] form = ("note=" + note + "&added=body").getBytes(StandardCharsets.UTF_8);

        Answer first = http().post("/forward-view")
                .key(fresh())
                .body("application/x-www-form-urlencoded", form)
                .send()
                .isFirst(200);

        assertThat(first.text()).contains("note=[" + note + "]", "added=[x, body]");
    }

    @ParameterizedTest
    @CsvSource({"/forward-request, /empty-target, 204", "/redirect-view, , 302"})
    void anAnswerWithoutABodyIsReplayed(String path, String to, int status) {
        String note = fresh();
        String key = fresh();
        String target = path + "?note=" + note + (to == null ? "" : "&to=" + to);

        Answer first = post(target, key).isFirst(status);
        post(target, key).replays(first);

        assertThat(first.response().body()).isEmpty();
        assertThat(first.headers("Content-Type")).isEmpty();
        assertEffects(note, 1);
    }

    @ParameterizedTest
    @CsvSource({"/error-target, 409", "/throwing-target, 500"})
    void anErrorBehindAForwardIsAnErrorOfTheRequest(String to, int status) {
        String note = fresh();
        String key = fresh();

        for (int i = 1; i <= 2; i++) {
            Answer error = post("/forward-request?to=" + to + "&note=" + note, key);
            error.isFirst(status);
            assertThat(error.text()).contains("\"status\":" + status);
            assertEffects(note, i);
        }
    }
}
