// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The record says SUCCESS exactly when the effect is there (row C67). */
class TransactionContractIT extends HttpContract {

    @Override
    List<String> properties() {
        List<String> properties = new ArrayList<>(Stores.databaseProperties());
        properties.add("transactional=true");
        properties.add("idempotency.biz-types.transactional.timeout=1s");
        properties.add("idempotency.biz-types.transactional.breaker.failures=0");
        properties.add("idempotency.biz-types.transactional_method.breaker.failures=0");
        return properties;
    }

    private Answer post(HttpTarget target, String key, String note, String step) {
        return target.post("/transactional").key(key).script(step).note(note).send();
    }

    private Answer post(String key, String note, String step) {
        return post(http(), key, note, step);
    }

    private void assertRows(String note, int count) {
        assertThat(server().bean(JdbcTemplate.class)
                        .queryForObject("SELECT COUNT(*) FROM effect WHERE note = ?", Integer.class, note))
                .as("rows of " + note)
                .isEqualTo(count);
    }

    @Test
    void anAnswerThatIsKeptIsCommittedWithItsEffect() {
        String key = fresh();
        String note = fresh();
        Answer first = post(key, note, "201").isFirst(201);
        assertRows(note, 1);
        post(key, note, "201").replays(first);
        post(otherHttp(), key, note, "201").replays(first);
        assertEffects(note, 1);
        assertRows(note, 1);
    }

    @ParameterizedTest
    @CsvSource({"throw, 500", "500, 500", "404, 404", "send-error-402, 402", "commit-fails, 500", "elsewhere, 500"})
    void whatIsNotKeptLeavesNoEffectAndMayRunAgain(String step, int status) {
        String key = fresh();
        String note = fresh();
        post(key, note, step).isFirst(status);
        assertRows(note, 0);
        Answer second = post(key, note, step).isFirst(200);
        post(key, note, step).replays(second);
        assertEffects(note, 2);
        assertRows(note, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rollback-only", "swallowed"})
    void anAnswerThatTellsOfWhatWasRolledBackIsNotGiven(String step) {
        String key = fresh();
        String note = fresh();
        post(key, note, step).isFirst(500);
        assertRows(note, 0);
        Answer second = post(key, note, step).isFirst(200);
        post(key, note, step).replays(second);
        assertRows(note, 1);
    }

    @Test
    void aCommitThatWasTakenForFailedIsFoundOut() {
        String key = fresh();
        String note = fresh();
        post(key, note, "fails-after-commit").isFirst(500);
        assertRows(note, 1);
        Answer repeat = post(key, note, "fails-after-commit");
        assertThat(repeat.status()).isEqualTo(200);
        assertThat(repeat.headers(Answer.MARK)).containsExactly("true");
        assertEffects(note, 1);
        assertRows(note, 1);
    }

    @Test
    void anAnswerTooLargeToKeepIsSentWholeOnceItsEffectIsCommitted() {
        String key = fresh();
        String note = fresh();
        Answer first = post(key, note, "large").isFirst(200);
        assertThat(first.text()).hasSize(36 * 20_000);
        assertRows(note, 1);
        post(key, note, "large").isProblem(409, "result-unavailable");
        assertRows(note, 1);
    }

    @Test
    void anOwnerThatLostItsClaimUndoesWhatItDid() {
        String key = fresh();
        String note = fresh();
        server().store().loseRenewals(true);
        try {
            CompletableFuture<Answer> late =
                    CompletableFuture.supplyAsync(() -> post(key, note, "gate"), Effects.BACKGROUND);
            awaitEffects(note, 1);
            Answer successor = untilTakenOver(key, note);
            Effects.openGate(note);
            late.join().isProblem(409, "in-progress").hasRetryAfter();
            post(key, note, "gate").replays(successor);
            assertEffects(note, 2);
            assertRows(note, 1);
        } finally {
            server().store().loseRenewals(false);
        }
    }

    private Answer untilTakenOver(String key, String note) {
        Answer[] answer = new Answer[1];
        await().until(() -> {
            answer[0] = post(otherHttp(), key, note, "gate");
            return answer[0].status() == 200;
        });
        return answer[0];
    }

    @Test
    void repeatsOfWhatIsRunningAreRefusedWithoutWaitingForItsTransaction() {
        String key = fresh();
        String note = fresh();
        CompletableFuture<Answer> first =
                CompletableFuture.supplyAsync(() -> post(key, note, "gate"), Effects.BACKGROUND);
        awaitEffects(note, 1);
        for (int i = 0; i < 8; i++) {
            post(otherHttp(), key, note, "gate").isProblem(409, "in-progress");
        }
        Effects.openGate(note);
        Answer answered = first.join().isFirst(200);
        post(key, note, "gate").replays(answered);
        assertRows(note, 1);
    }

    private Answer call(String note, String step) {
        return http().post("/transactional-method").script(step).note(note).send();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "surrounded"})
    void aMethodsEffectIsCommittedWithItsResult(String step) {
        String note = fresh();
        Answer first = call(note, step);
        assertThat(first.status()).isEqualTo(200);
        assertThat(call(note, step).text()).isEqualTo(first.text());
        assertEffects(note, 1);
        assertRows(note, 1);
    }

    @Test
    void aMethodThatThrowsLeavesNothing() {
        String note = fresh();
        assertThat(call(note, "throw").status()).isEqualTo(500);
        assertRows(note, 0);
    }

    @Test
    void whatASurroundingTransactionRolledBackMayRunAgain() {
        String note = fresh();
        call(note, "surrounded-rollback-at-first");
        assertRows(note, 0);
        call(note, "surrounded-rollback-at-first");
        call(note, "surrounded-rollback-at-first");
        assertEffects(note, 2);
        assertRows(note, 1);
    }
}
