// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.deadletter.DeadLetterQueue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What keeps failing is cooled down and parked: rows C68, C69 and C72. */
class BreakerContractIT extends HttpContract {

    @Override
    List<String> properties() {
        return List.of(
                "idempotency.biz-types.scripted.breaker.cooldown=2s",
                "idempotency.biz-types.short_lease.breaker.window=5m",
                "idempotency.biz-types.short_lease.breaker.cooldown=1s",
                "idempotency.biz-types.short_lease.breaker.cooldown-multiplier=100");
    }

    @Test
    void threeFailuresCoolTheOperationDownAndParkItOnce() {
        String note = fresh();
        String key = fresh();

        fail(key, note, 3);
        for (int i = 0; i < 4; i++) {
            Answer cooled = http().post("/scripted")
                    .as("a")
                    .key(key)
                    .script("500")
                    .note(note)
                    .send();
            cooled.isProblem(503, "cooling-down").hasRetryAfter();
            assertThat(Integer.parseInt(cooled.header("Retry-After"))).isLessThanOrEqualTo(2);
        }

        assertEffects(note, 3);
        List<OpenLetter> letters = letters(note);
        assertThat(letters).hasSize(1);
        assertThat(letters.get(0).summary().occurrences()).isEqualTo(5);
        assertThat(letters.get(0).content().statuses()).containsExactly(500);
        assertThat(letters.get(0).content().request().fields())
                .noneMatch(field -> field.name().equalsIgnoreCase("Authorization"));
    }

    @Test
    void otherKeysAndOtherPrincipalsAreNotCooled() {
        String note = fresh();
        String key = fresh();

        fail(key, note, 3);
        http().post("/scripted")
                .as("a")
                .key(key)
                .script("200")
                .note(note)
                .send()
                .isProblem(503, "cooling-down");

        http().post("/scripted")
                .as("a")
                .key(fresh())
                .script("200")
                .note(note)
                .send()
                .isFirst(200);
        http().post("/scripted")
                .as("b")
                .key(key)
                .script("200")
                .note(note)
                .send()
                .isFirst(200);
    }

    @Test
    void afterTheCoolDownOneTrialRunsAndItsSuccessEndsIt() {
        String note = fresh();
        String key = fresh();

        fail(key, note, 3);
        Answer trial = await().until(
                        () -> http().post("/scripted")
                                .as("a")
                                .key(key)
                                .script("500,500,500,200")
                                .note(note)
                                .send(),
                        answer -> answer.status() != 503);

        trial.isFirst(200);
        http().post("/scripted")
                .as("a")
                .key(key)
                .script("500")
                .note(note)
                .send()
                .replays(trial);
        assertEffects(note, 4);
    }

    @Test
    void aFailedTrialCoolsAgainAtOnceAndParksAnotherLetter() {
        String note = fresh();
        String key = fresh();

        fail(key, note, 3);
        await().until(
                        () -> http().post("/scripted")
                                .as("a")
                                .key(key)
                                .script("500")
                                .note(note)
                                .send(),
                        answer -> answer.status() == 500);
        http().post("/scripted")
                .as("a")
                .key(key)
                .script("500")
                .note(note)
                .send()
                .isProblem(503, "cooling-down");

        assertEffects(note, 4);
        assertThat(letters(note)).hasSize(2);
    }

    @Test
    void coolDownsGrowWhileTrialsFail() {
        HttpTarget.Call call =
                http().post("/short-lease").as("a").key(fresh()).script("500").note(fresh());
        for (int i = 0; i < 3; i++) {
            call.send().isFirst(500);
        }
        assertThat(call.send().isProblem(503, "cooling-down").header("Retry-After"))
                .isEqualTo("1");
        await().until(() -> call.send().status(), status -> status == 500);

        Answer cooled = otherHttp()
                .post("/short-lease")
                .as("a")
                .key(fresh())
                .script("500")
                .note(fresh())
                .send();
        cooled.isFirst(500); // another operation is not concerned
        Answer again = call.send().isProblem(503, "cooling-down");
        assertThat(Integer.parseInt(again.header("Retry-After"))).isBetween(50, 100);
        assertThat(again.text()).contains("\"violated-policies\":[\"breaker\"]");
    }

    @Test
    void aFinishedResultIsAlwaysServed() {
        String done = fresh();
        String failing = fresh();

        Answer first = http().post("/scripted")
                .as("a")
                .key(done)
                .script("200")
                .note(done)
                .send()
                .isFirst(200);
        fail(failing, failing, 3);
        http().post("/scripted")
                .as("a")
                .key(failing)
                .script("500")
                .note(failing)
                .send()
                .isProblem(503, "cooling-down");

        http().post("/scripted")
                .as("a")
                .key(done)
                .script("200")
                .note(done)
                .send()
                .replays(first);
        assertEffects(done, 1);
    }

    private void fail(String key, String note, int times) {
        for (int i = 0; i < times; i++) {
            HttpTarget target = i % 2 == 0 ? http() : otherHttp();
            target.post("/scripted").as("a").key(key).script("500").note(note).send();
        }
    }

    private List<OpenLetter> letters(String note) {
        return OpenLetter.of(server().bean(DeadLetterQueue.class)).stream()
                .filter(letter -> letter.body().contains(note))
                .toList();
    }
}
