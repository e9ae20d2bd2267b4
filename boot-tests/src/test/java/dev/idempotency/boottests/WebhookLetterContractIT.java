// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.deadletter.DeadLetterQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A webhook that kept failing is redriven long after its signature has become too old. */
class WebhookLetterContractIT extends WebhookContract {

    private static final String LETTERS = "/actuator/idempotencyletters/";

    @Override
    List<String> properties() {
        List<String> properties = super.properties();
        sender(properties, "annotated", "standard-webhooks", "whsec_" + SECRET, "/hooks/annotated");
        properties.add("management.endpoints.web.exposure.include=*");
        properties.add("management.endpoint.idempotencyletters.access=unrestricted");
        properties.add("idempotency.biz-types.standard.breaker.window=1m");
        return properties;
    }

    @Test
    void aLetterIsRedrivenWithoutASignature() {
        String note = fresh();
        String id = fresh();
        String body = "{\"event\": \"" + id + "\"}";
        for (int i = 0; i < 4; i++) {
            delivery(id, NOW, body, note).send();
        }
        assertEffects(note, 3);
        String letter = OpenLetter.of(server().bean(DeadLetterQueue.class)).stream()
                .filter(open -> open.body().equals(body))
                .findFirst()
                .orElseThrow()
                .summary()
                .id();

        Instant later = NOW.plus(Duration.ofHours(1));
        time(later);
        Answer redriven =
                http().post(LETTERS + letter).json("{\"action\":\"redrive\"}").send();

        assertThat(redriven.text()).contains("\"outcome\":\"ran\"", "\"outcomeStatus\":200");
        assertEffects(note, 4);
        Answer repeat = delivery(id, later, body, note).send();
        assertThat(repeat.status()).isEqualTo(200);
        assertThat(repeat.headers(Answer.MARK)).containsExactly("true");
        assertEffects(note, 4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/hooks/standard", "/hooks/annotated"})
    void theRecordOfAnEventIsFoundByItsIdAndPath(String path) {
        String id = fresh();
        String note = fresh();
        time(NOW);
        assertThat(standard(http(), path, id, NOW, "{}", note).send().status()).isEqualTo(200);
        Answer found = http().call("GET", "/actuator/idempotencyrecords?path=" + path + "&key=" + id)
                .send();
        assertThat(found.status()).as(found.text()).isEqualTo(200);
        assertThat(found.text()).contains("\"status\":\"SUCCESS\"");
    }

    private HttpTarget.Call delivery(String id, Instant signed, String body, String note) {
        return standard(http(), "/hooks/standard", id, signed, body, note).header("X-Script", "500,500,500,200");
    }
}
