// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that another thread writes: row C42. */
class AsyncContractIT extends HttpContract {

    /** A request whose handler throws after startAsync is one that Tomcat itself never takes for ended. */
    @Override
    List<String> properties() {
        return List.of("server.shutdown=immediate");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/future",
                "/callable",
                "/deferred",
                "/raw-async",
                "/task",
                "/raw/complete",
                "/raw/two-arguments",
                "/raw/start",
                "/raw/dispatch",
                "/raw/dispatch-elsewhere",
                "/raw/in-the-same-thread"
            })
    void theClaimLastsUntilTheAsynchronousEnd(String path) {
        String note = fresh();
        String key = fresh();
        String target = path + "?note=" + note;
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
        assertThat(first.text()).contains(note).hasSizeGreaterThan(70);
        assertThat(first.header("Content-Length"))
                .isEqualTo(Integer.toString(first.response().body().length));
        otherHttp().post(target).key(key).note(note).send().replays(first);
        assertEffects(note, 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/deferred-error",
                "/deferred-timeout",
                "/future-failed?status=503&",
                "/raw-broken/throw",
                "/raw-broken/send-error",
                "/raw-broken/timeout"
            })
    void anAsynchronousFailureFreesTheKey(String path) {
        String note = fresh();
        String key = fresh();
        String target = path + (path.endsWith("&") ? "note=" : "?note=") + note;

        for (int i = 1; i <= 2; i++) {
            Answer failed = http().post(target).key(key).note(note).send();
            assertThat(failed.status()).isIn(500, 503);
            assertThat(failed.headers(Answer.MARK)).isEmpty();
            assertEffects(note, i);
        }
    }

    @Test
    void anAsynchronousRefusalLeavesNoRecord() {
        String note = fresh();
        String key = fresh();

        for (int i = 1; i <= 4; i++) {
            http().post("/future-failed?status=402&note=" + note)
                    .key(key)
                    .send()
                    .isFirst(402);
            assertEffects(note, i);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/task-timeout", "/raw/listener"})
    void whatIsAnsweredAtATimeoutIsTheAnswer(String path) {
        String note = fresh();
        String key = fresh();

        Answer first = http().post(path + "?note=" + note).key(key).send().isFirst(200);
        assertThat(first.text()).startsWith("timed out ");
        http().post(path + "?note=" + note).key(key).send().replays(first);

        Effects.openGate(note);
        assertEffects(note, 1);
    }

    @Test
    void aHandlerThatComesTooLateChangesNothing() {
        String note = fresh();
        String key = fresh();
        String path = "/raw-broken/timeout?note=" + note;

        RawAnswer timedOut = http().rawPost(path, key, "x");
        assertThat(timedOut.status()).isEqualTo(500);
        Effects.openGate(note);
        awaitEffects(note + " late", 1);

        http().post("/orders").key(fresh()).note(fresh()).send().isFirst(201);
        assertThat(timedOut.text()).doesNotContain("too late");
        assertEffects(note, 1);
    }

    @Test
    void anAsynchronousAnswersLeaseIsRenewed() {
        String note = fresh();
        String key = fresh();
        String path = "/future-short-lease?note=" + note;
        CompletableFuture<Answer> running = http().post(path).key(key).sendLater();
        awaitEffects(note, 1);

        long end = System.nanoTime() + 1_500_000_000L;
        while (System.nanoTime() < end) {
            otherHttp().post(path).key(key).send().isProblem(409, "in-progress");
        }
        Effects.openGate(note);

        otherHttp().post(path).key(key).send();
        Answer first = running.join().isFirst(200);
        otherHttp().post(path).key(key).send().replays(first);
        assertEffects(note, 1);
    }
}
