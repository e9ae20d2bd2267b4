// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.store.OwnerToken;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator does to dead letters, from any instance: rows C68 and C74. */
class LetterContractIT extends HttpContract {

    private static final String LETTERS = "/actuator/idempotencyletters";

    @Override
    List<String> properties() {
        return List.of(
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.idempotencyletters.access=unrestricted",
                "management.endpoint.idempotencyrecords.access=unrestricted",
                "idempotency.biz-types.scripted.breaker.window=5m", // however busy the machine is
                "idempotency.biz-types.scripted.breaker.cooldown=10m",
                "idempotency.dead-letters.redact-pointers=/card/number",
                "idempotency.dead-letters.redact-headers=X-Internal");
    }

    /** Fails until it cools down; the letter's id. */
    private String park(String subject, String key, String script, String body) {
        HttpTarget other = otherHttp(); // whose start may take longer than the breaker's window
        for (int i = 0; i < 4; i++) {
            HttpTarget target = i % 2 == 0 ? http() : other;
            target.post("/scripted")
                    .as(subject)
                    .key(key)
                    .script(script)
                    .header("X-Internal", "seen by nobody")
                    .json(body)
                    .send();
        }
        String list = otherHttp()
                .call("GET", LETTERS + "?state=open&bizType=scripted&size=100")
                .send()
                .text();
        Matcher ids = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(list);
        while (ids.find()) {
            if (show(ids.group(1)).text().contains(key)) {
                return ids.group(1);
            }
        }
        throw new AssertionError("no letter of " + key + " in " + list);
    }

    private static String note(String note) {
        return "{\"note\":\"" + note + "\"}";
    }

    private Answer show(String id) {
        return http().call("GET", LETTERS + "/" + id).send();
    }

    private static HttpTarget.Call act(HttpTarget target, String id, String json) {
        return target.post(LETTERS + "/" + id).json(json);
    }

    private static Answer redrive(HttpTarget target, String id) {
        return act(target, id, "{\"action\":\"redrive\"}").send();
    }

    @Test
    void aLetterIsRedrivenFromAnotherInstanceUnderItsKeyAndPrincipal() {
        String note = fresh();
        String key = fresh();
        String id = park("ann", key, "500,500,500,201", note(note));
        assertThat(show(id).text())
                .contains("\"occurrences\":2", "\"principal\":\"ann\"", "\"statuses\":[500]", "\"path\":\"/scripted\"")
                .contains("\"withheldHeaders\":[", note)
                .doesNotContain("Bearer", "seen by nobody");

        Answer redriven = redrive(otherHttp(), id);

        assertThat(redriven.status()).as(redriven.text()).isEqualTo(200);
        assertThat(redriven.text()).contains("\"state\":\"redriven\"", "\"outcome\":\"ran\"", "\"outcomeStatus\":201");
        assertEffects(note, 4);
        Answer repeat = http().post("/scripted")
                .as("ann")
                .key(key)
                .script("500")
                .note(note)
                .send();
        assertThat(repeat.status()).isEqualTo(201);
        assertThat(repeat.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(redrive(http(), id).status()).isEqualTo(409);
        assertEffects(note, 4);
    }

    @Test
    void aQueueThatIsAwayChangesNoAnswerAndGetsItsLetterOnceItIsBack() {
        String note = fresh();
        HttpTarget.Call call =
                http().post("/scripted").as("ann").key(fresh()).script("500").note(note);
        server().store().silenceLetters(true);
        try {
            for (int i = 0; i < 3; i++) {
                call.send().isFirst(500);
            }
            call.send().isProblem(503, "cooling-down").hasRetryAfter();
        } finally {
            server().store().silenceLetters(false);
        }
        DeadLetterQueue queue = server().bean(DeadLetterQueue.class);
        await().until(() ->
                OpenLetter.of(queue).stream().anyMatch(letter -> letter.body().contains(note)));
        assertEffects(note, 3);
    }

    @Test
    void ofTwoOperatorsAtOnceOneRedrives() {
        for (int round = 0; round < 5; round++) {
            String note = fresh();
            String id = park("ann", fresh(), "500,500,500,200", note(note));

            List<CompletableFuture<Answer>> both = List.of(
                    act(http(), id, "{\"action\":\"redrive\"}").sendLater(),
                    act(otherHttp(), id, "{\"action\":\"redrive\"}").sendLater());

            assertThat(both).extracting(answer -> answer.join().status()).containsExactlyInAnyOrder(200, 409);
            assertEffects(note, 4);
        }
    }

    @Test
    void aRedriveThatFailsHasItsOutcomeAndANewLetter() {
        String note = fresh();
        String key = fresh();
        String id = park("ann", key, "500,500,500,503", note(note));

        assertThat(redrive(http(), id).text()).contains("\"outcome\":\"ran\"", "\"outcomeStatus\":503");

        assertThat(park("ann", key, "500", note(note))).isNotEqualTo(id);
        assertEffects(note, 4);
    }

    @Test
    void anAnonymousRequestIsRedrivenAsOne() {
        String note = fresh();
        String key = fresh();
        for (int i = 0; i < 3; i++) {
            http().post("/scripted")
                    .key(key)
                    .script("500,500,500,200")
                    .note(note)
                    .send();
        }
        String id = newest();

        assertThat(redrive(http(), id).text()).contains("\"outcome\":\"ran\"", "\"outcomeStatus\":200");
        assertEffects(note, 4);
    }

    private String newest() {
        Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"")
                .matcher(http().call("GET", LETTERS + "?size=1").send().text());
        assertThat(id.find()).isTrue();
        return id.group(1);
    }

    @Test
    void aPrincipalWhoIsGoneAsksNothingMore() {
        String note = fresh();
        String id = park("gone-" + fresh(), fresh(), "500,500,500,200", note(note));

        Answer refused = redrive(http(), id);

        assertThat(refused.text())
                .contains(
                        "\"state\":\"open\"",
                        "\"outcome\":\"not-reached\"",
                        "is not known to the application any more");
        assertEffects(note, 3);
    }

    @Test
    void aRedactedBodyIsNotSentAsIfItWereTheOriginal() {
        String note = fresh();
        String id = park(
                "ann",
                fresh(),
                "500,500,500,200",
                "{\"note\":\"" + note + "\",\"card\":{\"number\":\"4111111111111111\"}}");
        assertThat(show(id).text()).contains("[redacted]").doesNotContain("4111");

        Answer refused = redrive(http(), id);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.header("Content-Type")).startsWith("application/problem+json");
        assertThat(refused.text()).contains("/card/number", "must not be sent as if it were the original");
        assertThat(show(id).text()).contains("\"state\":\"open\"");
        assertEffects(note, 3);
    }

    @Test
    void aLetterIsDiscardedWithANote() {
        String id = park("ann", fresh(), "500", note(fresh()));

        assertThat(act(http(), id, "{\"action\":\"discard\"}").send().status()).isEqualTo(400);
        Answer discarded = act(otherHttp(), id, "{\"action\":\"discard\",\"note\":\"ordered again by hand\"}")
                .as("olga")
                .send();

        assertThat(discarded.text())
                .contains("\"state\":\"discarded\"", "\"note\":\"ordered again by hand\"", "\"operator\":\"olga\"");
        assertThat(redrive(http(), id).status()).isEqualTo(409);
    }

    @Test
    void lettersAreExportedOneALine() {
        String id = park("ann", fresh(), "500", note("line\\nbreak " + fresh()));

        Answer export = http().call("GET", LETTERS + "/export?state=open").send();

        assertThat(export.header("Content-Type")).startsWith("application/x-ndjson");
        assertThat(export.text().lines())
                .allMatch(line -> line.startsWith("{\"id\":\"") && line.endsWith("}"))
                .anyMatch(line -> line.contains(id));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?state=lost",
                "?reason=none",
                "?size=0",
                "?size=101",
                "?size=many",
                "?start=x",
                "?from=yesterday"
            })
    void mistakesAreProblems(String query) {
        Answer answer = http().call("GET", LETTERS + query).send();

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.text()).contains("\"status\":400").doesNotContain("Exception");
    }

    @Test
    void lettersThatAreNotThereAreProblems() {
        for (Answer answer : List.of(show("no-such-letter"), redrive(http(), "no-such-letter"))) {
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        }
        String id = park("ann", fresh(), "500", note(fresh()));
        assertThat(act(http(), id, "{\"action\":\"burn\"}").send().status()).isEqualTo(400);
    }

    @Test
    void nobodyElsePassesAsARedrive() {
        String note = fresh();
        Answer forged = http().post("/scripted")
                .key(fresh())
                .script("200")
                .note(note)
                .header("Idempotency-Redrive-Token", "forged")
                .send();

        forged.isProblem(403, "redrive-refused");
        assertEffects(note, 0);
    }

    @Test
    void aRecordIsFoundByWhatTheSenderKnowsAndItsCoolDownReleased() {
        String note = fresh();
        String key = fresh();
        park("ann", key, "500,500,500,200", note(note));

        Answer record = otherHttp()
                .call("GET", "/actuator/idempotencyrecords?method=POST&path=/scripted&key=" + key + "&scope=ann")
                .send();
        assertThat(record.status()).as(record.text()).isEqualTo(200);
        assertThat(record.text())
                .contains("\"status\":\"FAILED\"", "\"cooledUntil\"")
                .doesNotContain(note);
        Matcher fields = Pattern.compile("\"recordKey\":\"([0-9a-f]+)\",\"version\":([0-9]+)")
                .matcher(record.text());
        assertThat(fields.find()).isTrue();
        String path = "/actuator/idempotencyrecords/scripted/" + fields.group(1);

        assertThat(release(path, "1").status()).isEqualTo(409);
        Answer mistake = release(path, "\"latest\"");
        assertThat(mistake.status()).isEqualTo(400);
        assertThat(mistake.text()).contains("The version must be a number.");
        assertThat(release(path, fields.group(2)).status()).isEqualTo(200);
        assertThat(http().call("GET", path).send().status()).isEqualTo(404);
        http().post("/scripted")
                .as("ann")
                .key(key)
                .script("500,500,500,200")
                .note(note)
                .send()
                .isFirst(200);
    }

    private Answer release(String path, String version) {
        return otherHttp()
                .post(path)
                .json("{\"version\":" + version + ",\"reason\":\"the ERP is back\"}")
                .send();
    }

    @Test
    void theContractIsPublished() {
        Answer contract = http().call("GET", "/actuator/idempotency").send();

        assertThat(contract.status()).isEqualTo(200);
        assertThat(contract.text())
                .contains("\"namespace\":\"boot-tests\"", "\"paths\":[\"/scripted\"]", "\"bizType\":\"scripted\"")
                .contains("\"lease\":\"PT1M\"", "\"keyParts\":[\"idempotency-key\"");
    }

    @Test
    void aRedriveWhoseInstanceDiedBlocksNobody() {
        String note = fresh();
        String id = park("ann", fresh(), "500,500,500,200", note(note));
        server().bean(DeadLetterQueue.class).startRedrive(id, OwnerToken.random(), Duration.ofSeconds(1), "dead");

        Answer redriven = await().until(() -> redrive(otherHttp(), id), answer -> answer.status() == 200);

        assertThat(redriven.text()).contains("\"state\":\"redriven\"", "\"redrives\":2");
        assertEffects(note, 4);
    }

    @Test
    void aRedriveThatComesTooLateFindsTheAnswer() {
        String note = fresh();
        String key = fresh();
        String id = park("ann", key, "500,500,500,200", note(note));
        Answer record = http().call("GET", "/actuator/idempotencyrecords?path=/scripted&key=" + key + "&scope=ann")
                .send();
        Matcher fields = Pattern.compile("\"recordKey\":\"([0-9a-f]+)\",\"version\":([0-9]+)")
                .matcher(record.text());
        assertThat(fields.find()).isTrue();
        release("/actuator/idempotencyrecords/scripted/" + fields.group(1), fields.group(2));
        await().until(() -> http().post("/scripted")
                        .as("ann")
                        .key(key)
                        .script("500,500,500,200")
                        .note(note)
                        .send()
                        .status()
                == 200);

        assertThat(redrive(otherHttp(), id).text()).contains("\"state\":\"redriven\"", "\"outcome\":\"replayed\"");
        assertEffects(note, 4);
    }
}
