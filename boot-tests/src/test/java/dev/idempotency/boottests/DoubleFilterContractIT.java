// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The filter also stands in Spring Security's chain, so that every dispatch passes it twice (R840). */
class DoubleFilterContractIT extends HttpContract {

    @Override
    List<String> properties() {
        return List.of("double-filter=true");
    }

    @Test
    void aRequestThatPassesTwiceIsClaimedOnce() {
        String note = fresh();
        String key = fresh();
        int calls = server().store().calls();

        Answer first = http().post("/orders").key(key).note(note).send().isFirst(201);
        assertThat(server().store().calls()).isEqualTo(calls + 2);
        http().post("/orders").key(key).note(note).send().replays(first);
        http().post("/orders").key(key).note(fresh()).send().isProblem(422, "key-reused");

        assertEffects(note, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/callable", "/deferred", "/raw-async"})
    void anAsynchronousAnswerIsSentOnce(String path) {
        String note = fresh();
        String key = fresh();
        Effects.openGate(note);
        String target = path + "?note=" + note;
        String body = "{\"note\":\"" + note + "\"}";

        RawAnswer first = new RawAnswer(http().raw(request(target, key, body))).isWellFramed(false);
        RawAnswer repeat = new RawAnswer(http().raw(request(target, key, body))).isWellFramed(true);

        assertThat(first.body()).startsWith(note).hasSizeGreaterThan(1000);
        assertThat(repeat.body()).isEqualTo(first.body());
        assertEffects(note, 1);
    }

    private static String request(String target, String key, String body) {
        return "POST " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Idempotency-Key: " + key
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    @Test
    void aRepeatMeanwhileIsRefusedOnce() {
        String note = fresh();
        String key = fresh();
        CompletableFuture<Answer> running =
                http().post("/scripted").key(key).script("gate").note(note).sendLater();
        awaitEffects(note, 1);

        http().post("/scripted").key(key).script("gate").note(note).send().isProblem(409, "in-progress");
        Effects.openGate(note);

        running.join().isFirst(200);
        assertEffects(note, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"throw", "send-error-409", "throw-status", "500"})
    void anErrorFreesTheKey(String step) {
        String note = fresh();
        String key = fresh();

        Answer error = http().post("/scripted")
                .key(key)
                .script(step + ",201")
                .note(note)
                .send();
        assertThat(error.status()).isIn(402, 409, 500);
        assertThat(error.text()).isNotEmpty();
        http().post("/scripted")
                .key(key)
                .script(step + ",201")
                .note(note)
                .send()
                .isFirst(201);
        assertEffects(note, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"throw-status", "send-error-402"})
    void anErrorPageIsKeptOnce(String step) {
        String note = fresh();
        String key = fresh();

        Answer first = http().post("/keeps-402")
                .key(key)
                .script(step)
                .note(note)
                .send()
                .isFirst(402);
        assertThat(first.text()).isNotEmpty();
        http().post("/keeps-402").key(key).script(step).note(note).send().replays(first);
        assertEffects(note, 1);
    }
}
