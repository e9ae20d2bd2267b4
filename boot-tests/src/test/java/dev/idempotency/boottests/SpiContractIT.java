// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Beans of the application's that replace ours, and rules by exception. */
class SpiContractIT extends HttpContract {

    @Override
    List<String> properties() {
        return List.of(
                "test.own-beans=true",
                "idempotency.biz-types.scripted.complete-on="
                        + "org.springframework.web.server.ResponseStatusException",
                "idempotency.biz-types.scripted.release-on=java.io.IOException");
    }

    private HttpTarget.Call scripted(String event, String note, String script) {
        return http().post("/scripted")
                .header("X-Event-Id", event)
                .script(script)
                .note(note);
    }

    @Test
    void theKeyComesFromWhereTheApplicationSays() {
        String note = fresh();
        String event = fresh();

        Answer first = scripted(event, note, "200").send().isFirst(200);
        scripted(event, note, "200").send().replays(first);
        Answer refused =
                http().post("/scripted").key(event).script("200").note(note).send();

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text()).isEqualTo("refused: key-missing");
        assertEffects(note, 1);
    }

    @Test
    void theBusinessIdComesFromWhereTheApplicationSays() {
        String note = fresh();
        String event = fresh();

        scripted(event, note, "200").header("X-Order", "1").send().isFirst(200);
        scripted(event, note, "200").header("X-Order", "2").send().isFirst(200);

        assertEffects(note, 2);
    }

    @Test
    void theTenantIsTheScope() {
        String note = fresh();
        String event = fresh();

        Answer first = scripted(event, note, "200")
                .header("X-Tenant", "1")
                .as("a")
                .send()
                .isFirst(200);
        scripted(event, note, "200").header("X-Tenant", "1").as("b").send().replays(first);
        scripted(event, note, "200").header("X-Tenant", "2").as("a").send().isFirst(200);

        assertEffects(note, 2);
    }

    @Test
    void theClassifierHasTheLastWord() {
        String note = fresh();
        String event = fresh();

        Answer first = scripted(event, note, "409").send().isFirst(409);
        scripted(event, note, "409").send().replays(first);

        assertEffects(note, 1);
    }

    @Test
    void anExceptionMayDecideWhatAnAttemptEndsIn() {
        String kept = fresh();
        Answer first = scripted(kept, kept, "throw-status").send().isFirst(402);
        scripted(kept, kept, "throw-status").send().replays(first);
        assertEffects(kept, 1);

        String released = fresh();
        for (int i = 0; i < 5; i++) {
            scripted(released, released, "throw").send().isFirst(500);
        }
        assertEffects(released, 5);
    }
}
