// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.awaitility.Awaitility.await;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records that expire, and a store that gives no answer: rows C60, C62 and C63. */
class StoreContractIT extends HttpContract {

    @Override
    List<String> properties() {
        return List.of("idempotency.biz-types.short_lease.ttl=1s");
    }

    @AfterEach
    void storeAnswersAgain() {
        server().store().silence(false);
        server().store().silenceCompletions(false);
    }

    @Test
    void anExpiredRecordIsForgottenTogetherWithItsContent() {
        String note = fresh();
        String other = fresh();
        String key = fresh();

        http().post("/short-lease").key(key).script("200").note(note).send().isFirst(200);
        Answer second = await().until(
                        () -> http().post("/short-lease")
                                .key(key)
                                .script("200")
                                .note(other)
                                .send(),
                        answer -> answer.status() != 422);

        second.isFirst(200);
        assertEffects(note, 1);
        assertEffects(other, 1);
    }

    @Test
    void aSilentStoreClosesTheEndpointOrLeavesItOpen() {
        String closed = fresh();
        String open = fresh();
        server().store().silence(true);

        http().post("/scripted")
                .key(closed)
                .script("200")
                .note(closed)
                .send()
                .isProblem(503, "store-unavailable")
                .hasRetryAfter();
        http().post("/open").key(open).script("200").note(open).send().isFirst(200);

        assertEffects(closed, 0);
        assertEffects(open, 1);
    }

    @Test
    void anEndThatCouldNotBeWrittenIsWrittenWhenTheStoreIsBack() {
        String note = fresh();
        String key = fresh();
        server().store().silenceCompletions(true);

        Answer first = http().post("/scripted")
                .key(key)
                .script("200")
                .note(note)
                .send()
                .isFirst(200);
        http().post("/scripted").key(key).script("200").note(note).send().isProblem(409, "in-progress");
        server().store().silenceCompletions(false);

        await().until(
                        () -> http().post("/scripted")
                                .key(key)
                                .script("200")
                                .note(note)
                                .send(),
                        answer -> answer.status() == 200)
                .replays(first);
        assertEffects(note, 1);
    }
}
