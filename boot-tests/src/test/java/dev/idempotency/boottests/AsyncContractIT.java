// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that another thread writes: row C42. */
class AsyncContractIT extends HttpContract {

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/callable", "/deferred", "/raw-async"})
    void theClaimLastsUntilTheAsynchronousEnd(String path) {
        String note = fresh();
        String key = fresh();
        String target = path.equals("/raw-async") ? path + "?note=" + note : path;
        CompletableFuture<Answer> running =
                http().post(target).key(key).note(note).sendLater();
        awaitEffects(note, 1);

        otherHttp()
                .post(target)
                .key(key)
                .note(note)
                .send()
                .isProblem(409, "in-progress")
                .hasRetryAfter();
        Effects.openGate(note);

        Answer first = running.join().isFirst(200);
        assertThat(first.text()).startsWith(note).hasSizeGreaterThan(1000);
        otherHttp().post(target).key(key).note(note).send().replays(first);
        assertEffects(note, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/deferred-error", "/deferred-timeout"})
    void anAsynchronousFailureFreesTheKey(String path) {
        String note = fresh();
        String key = fresh();

        assertThat(http().post(path).key(key).note(note).send().status()).isIn(500, 503);
        assertThat(http().post(path).key(key).note(note).send().status()).isIn(500, 503);

        assertEffects(note, 2);
    }
}
