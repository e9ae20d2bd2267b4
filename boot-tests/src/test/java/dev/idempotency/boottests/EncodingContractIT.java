// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers that lie encrypted and compressed in the store, and answers that were damaged there. */
class EncodingContractIT extends HttpContract {

    private static final String SECRET =
            Base64.getEncoder().encodeToString("secretsecretsecretsecretsecretse".getBytes(UTF_8));

    @Override
    List<String> properties() {
        return List.of(
                "idempotency.encryption.keys[0].id=key-of-2026", "idempotency.encryption.keys[0].secret=" + SECRET);
    }

    @Test
    void anAnswerLiesEncryptedInTheStoreAndIsGivenAgain() {
        String key = fresh();
        Answer first = call(http(), key, "200").isFirst(200);

        String stored = new String(server().store().lastAnswer().bytes(), ISO_8859_1);
        assertThat(stored).contains("key-of-2026").doesNotContain(first.text(), "Content-Type");
        call(http(), key, "200").replays(first);
        call(otherHttp(), key, "200").replays(first);
    }

    @Test
    void aLargeAnswerLiesCompressedInTheStore() {
        String key = fresh();
        Answer first = call(http(), key, "large-text").isFirst(200);

        assertThat(server().store().lastAnswer().size()).isLessThan(first.text().length() / 20);
        call(http(), key, "large-text").replays(first);
    }

    @Test
    void aDamagedAnswerIsUnavailableAndTheOperationDoesNotRunAgain() {
        String key = fresh();
        server().store().damageAnswers(true);
        call(http(), key, "200").isFirst(200);
        server().store().damageAnswers(false);

        call(http(), key, "200").isProblem(409, "result-unavailable");
        call(otherHttp(), key, "200").isProblem(409, "result-unavailable");
        assertEffects(key, 1);
    }

    private static Answer call(HttpTarget target, String key, String script) {
        return target.post("/scripted").key(key).script(script).note(key).send();
    }
}
