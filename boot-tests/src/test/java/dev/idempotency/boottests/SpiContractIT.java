// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Beans that replace ours, and outcomes by exception. */
class SpiContractIT extends HttpContract {

    private static final String SCRIPTED = "idempotency.biz-types.scripted.";

    @Override
    List<String> properties() {
        return List.of(
                "spi=true",
                SCRIPTED + "complete-on=dev.idempotency.boottests.ScriptController$MappedException",
                SCRIPTED + "fail-on=org.springframework.web.server.ResponseStatusException",
                SCRIPTED + "release-on=java.io.IOException");
    }

    private HttpTarget.Call scripted(String delivery, String step, String note) {
        return otherHttp().post("/scripted?delivery=" + delivery).script(step).note(note);
    }

    private Answer guarded(String path, String body) {
        return http().post("/guarded?" + path)
                .body("text/plain", body.getBytes(UTF_8))
                .send();
    }

    @Test
    void theKeyComesFromWhereTheApplicationSays() {
        String note = fresh();
        String delivery = fresh();

        Answer first = scripted(delivery, "200", note).send().isFirst(200);
        scripted(delivery, "200", note).send().replays(first);
        assertEffects(note, 1);
    }

    @Test
    void refusalsLookAsTheApplicationSays() {
        String note = fresh();

        for (String delivery : List.of("bad", "", "%20")) {
            Answer refused = scripted(delivery, "200", note).send();
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text()).startsWith("problem key-invalid ");
        }
        Answer missing = http().post("/scripted").script("200").note(note).send();
        assertThat(missing.status()).isEqualTo(400);
        assertThat(missing.text()).isEqualTo("problem key-missing The request must carry an idempotency key.");
        assertEffects(note, 0);
    }

    @Test
    void theBusinessIdComesFromWhereTheApplicationSaysAndTheBodyIsStillThere() {
        String note = fresh();
        String delivery = fresh();

        guarded("delivery=" + delivery + "&note=" + note, "order 1\nmore").isFirst(200);
        guarded("delivery=" + delivery + "&note=" + note, "order 2\nmore").isFirst(200);
        Answer reused = guarded("delivery=" + delivery + "&note=" + note, "order 1\nother");
        assertThat(reused.status()).isEqualTo(422);
        assertEffects(note, 2);

        String order = "{\"note\":\"" + fresh() + "\"}";
        http().post("/orders?delivery=" + delivery).json(order).send().isFirst(201);
    }

    @Test
    void tenantsHaveTheirOwnOperations() {
        String note = fresh();
        String delivery = fresh();

        Answer first = scripted(delivery, "200", note).header("X-Tenant", "a").send();
        scripted(delivery, "200", note).header("X-Tenant", "b").send().isFirst(200);
        scripted(delivery, "200", note).header("X-Tenant", "a").send().replays(first.isFirst(200));
        assertEffects(note, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"503", "throw-mapped", "throw-illegal-argument"})
    void whatCountsAsCompleteIsReplayed(String step) {
        String note = fresh();
        String delivery = fresh();

        Answer first = scripted(delivery, step, note).send();
        assertThat(first.status()).isIn(402, 500, 503);
        assertThat(first.text()).isNotEmpty();
        scripted(delivery, step, note).send().replays(first);
        assertEffects(note, 1);
    }

    @Test
    void whatCountsAsFailedKeepsItsContent() {
        String note = fresh();
        String delivery = fresh();

        scripted(delivery, "throw-status,200", note).send().isFirst(402);
        assertThat(http().post("/scripted?delivery=" + delivery + "&other")
                        .script("200")
                        .note(note)
                        .send()
                        .status())
                .isEqualTo(422);
        scripted(delivery, "throw-status,200", note).send().isFirst(200);
        assertEffects(note, 2);
    }

    @Test
    void whatCountsAsReleasedLeavesNothing() {
        String note = fresh();
        String delivery = fresh();

        for (int i = 0; i < 4; i++) {
            scripted(delivery, "throw", note).send().isFirst(500);
        }
        http().post("/scripted?delivery=" + delivery + "&other")
                .script("200")
                .note(note)
                .send()
                .isFirst(200);
        assertEffects(note, 5);
    }

    @Test
    void aBrokenClassifierChangesNothing() {
        String note = fresh();
        String delivery = fresh();

        scripted(delivery, "418,200", note).send().isFirst(418);
        scripted(delivery, "418,200", note).send().isFirst(200);
        assertEffects(note, 2);
    }
}
