// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept of an attempt, and what is told of other content: rows C32 to C37, C40, C44, C45 and C50. */
class OutcomeContractIT extends HttpContract {

    @Test
    void aRefusedBodyMayBeCorrectedUnderTheSameKey() {
        String note = fresh();
        String key = fresh();

        http().post("/orders").key(key).json("{\"note\":").send().isFirst(400);
        Answer first = http().post("/orders").key(key).note(note).send().isFirst(201);
        http().post("/orders").key(key).note(note).send().replays(first);

        assertEffects(note, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"402", "404", "409", "422", "429"})
    void aBusinessRefusalRunsAgain(String status) {
        String note = fresh();
        String key = fresh();

        for (int i = 0; i < 4; i++) {
            Answer answer =
                    http().post("/scripted").key(key).script(status).note(note).send();
            answer.isFirst(Integer.parseInt(status));
        }

        assertEffects(note, 4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"402", "throw-status", "send-error-402", "throw-mapped"})
    void aRefusalIsReplayedWhereThePolicySaysSo(String step) {
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

    @Test
    void aFailureRunsAgainUntilItSucceeds() {
        String note = fresh();
        String key = fresh();

        http().post("/scripted").key(key).script("500,201").note(note).send().isFirst(500);
        Answer first = otherHttp()
                .post("/scripted")
                .key(key)
                .script("500,201")
                .note(note)
                .send()
                .isFirst(201);
        http().post("/scripted").key(key).script("500,201").note(note).send().replays(first);

        assertEffects(note, 2);
    }

    @Test
    void anUnmappedExceptionReachesTheContainerAndFreesTheKeyAtOnce() {
        String note = fresh();
        String key = fresh();

        Answer error = http().post("/scripted")
                .key(key)
                .script("throw,201")
                .note(note)
                .send()
                .isFirst(500);
        assertThat(error.text()).contains("\"path\":\"/scripted\"");
        http().post("/scripted").key(key).script("throw,201").note(note).send().isFirst(201);

        assertEffects(note, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"429", "503"})
    void aHandlersOwnRetryAfterIsPassedThroughAndNotStored(String status) {
        String note = fresh();
        String key = fresh();

        Answer busy = http().post("/scripted")
                .key(key)
                .script(status + ",201")
                .note(note)
                .send();
        assertThat(busy.isFirst(Integer.parseInt(status)).header("Retry-After")).isEqualTo("9");
        http().post("/scripted")
                .key(key)
                .script(status + ",201")
                .note(note)
                .send()
                .isFirst(201);

        assertEffects(note, 2);
    }

    @Test
    void aBodyOverTheCapIsRefusedWithoutAClaim() {
        String note = fresh();
        String key = fresh();
        String huge = "{\"note\":\"" + note + "\",\"fill\":\"" + "x".repeat(1024 * 1024) + "\"}";
        int calls = server().store().calls();

        http().post("/orders").key(key).json(huge).send().isProblem(413, "body-too-large");
        http().post("/orders").key(key).json(huge).chunked().send().isProblem(413, "body-too-large");
        assertThat(server().store().calls()).isEqualTo(calls);

        http().post("/orders").key(key).note(note).send().isFirst(201);
        assertEffects(note, 1);
    }

    @Test
    void otherContentUnderTheSameKeyIsRefusedAndChangesNothing() {
        String note = fresh();
        String key = fresh();

        Answer first = http().post("/orders").key(key).note(note).send().isFirst(201);
        Answer refused =
                otherHttp().post("/orders").key(key).note(fresh()).send().isProblem(422, "key-reused");
        assertThat(refused.text()).doesNotContain(note).doesNotContain(key);
        http().post("/orders").key(key).note(note).send().replays(first);

        assertEffects(note, 1);
    }

    @Test
    void aFailedAttemptKeepsItsContent() {
        String note = fresh();
        String other = fresh();
        String key = fresh();

        http().post("/scripted").key(key).script("500").note(note).send().isFirst(500);
        http().post("/scripted").key(key).script("200").note(other).send().isProblem(422, "key-reused");

        assertEffects(note, 1);
        assertEffects(other, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"throw", "send-error-409", "throw-status"})
    void anErrorDispatchBelongsToTheSameRequest(String step) {
        String note = fresh();
        String key = fresh();

        Answer error = http().post("/scripted")
                .key(key)
                .script(step + ",201")
                .note(note)
                .send();
        assertThat(error.status()).isIn(402, 409, 500);
        assertThat(error.text()).contains("\"path\":\"/scripted\"");
        assertEffects(note, 1);

        http().post("/scripted")
                .key(key)
                .script(step + ",201")
                .note(note)
                .send()
                .isFirst(201);
        assertEffects(note, 2);
    }
}
