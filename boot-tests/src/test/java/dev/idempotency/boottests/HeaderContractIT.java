// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The key header: rows C01 to C11. */
class HeaderContractIT extends HttpContract {

    @Override
    List<String> properties() {
        return List.of("idempotency.documentation-url=https://shop.example/docs/idempotency");
    }

    @Test
    void aMissingKeyIsRefusedBeforeTheStoreIsAsked() {
        String note = fresh();
        int calls = server().store().calls();

        Answer answer = http().post("/orders").note(note).send().isProblem(400, "key-missing");

        assertThat(answer.header("Link")).isEqualTo("<https://shop.example/docs/idempotency>; rel=\"describedby\"");
        assertThat(server().store().calls()).isEqualTo(calls);
        assertEffects(note, 0);
    }

    @Test
    void withoutAKeyABypassedEndpointRunsEachTime() {
        String note = fresh();
        int calls = server().store().calls();

        http().post("/lenient").note(note).send().isFirst(200);
        http().post("/lenient").note(note).send().isFirst(200);

        assertThat(server().store().calls()).isEqualTo(calls);
        assertEffects(note, 2);
    }

    @Test
    void withoutAKeyTheBusinessIdIdentifiesTheRequest() {
        String note = fresh();
        String order = "{\"order_id\":\"" + note + "\",\"note\":\"" + note + "\"}";

        Answer first = http().post("/by-business-id").json(order).send().isFirst(200);
        http().post("/by-business-id").json(order).send().replays(first);
        http().post("/by-business-id").note(note).send().isProblem(400, "key-missing");
        http().post("/by-business-id")
                .json("{\"order_id\":\"  \",\"note\":\"x\"}")
                .send()
                .isProblem(400, "key-missing");
        http().post("/by-business-id")
                .json("{\"order_id\":null,\"note\":\"x\"}")
                .send()
                .isProblem(400, "key-missing");
        http().post("/by-business-id")
                .json("{\"order_id\":[1],\"note\":\"x\"}")
                .send()
                .isProblem(400, "key-invalid");

        assertEffects(note, 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"\"",
                "   ",
                "\"   \"",
                "K 1",
                "K,1",
                "K\t1",
                "\"K 1\"",
                "\"K1",
                "K1\"",
                "'K1'",
                "\"a\\,b\"",
                "\"a\\\"",
                "\"K1\", \"K2\"",
                "K1, K2",
                "K\u00e9",
                "\u00a0",
                "\"K1\"x",
                "\"K1\";",
                "\"K1\";=x"
            })
    void aMalformedKeyIsRefusedBeforeTheStoreIsAsked(String value) {
        String note = fresh();
        int calls = server().store().calls();

        String answer = http().raw(request(note, "X-Idempotency-Key: " + value + "\r\n"));

        assertThat(answer).startsWith("HTTP/1.1 400 ").contains("urn:idempotency:key-invalid");
        if (!value.isBlank()) {
            assertThat(answer).doesNotContain(value);
        }
        assertThat(server().store().calls()).isEqualTo(calls);
        assertEffects(note, 0);
    }

    @Test
    void controlCharactersNeverReachTheStore() {
        int calls = server().store().calls();

        for (char control : new char[] {0, 7, 0x1b, 0x7f}) {
            String note = fresh();
            assertThat(http().raw(request(note, "X-Idempotency-Key: K" + control + "1\r\n")))
                    .startsWith("HTTP/1.1 400 ");
            assertEffects(note, 0);
        }

        assertThat(server().store().calls()).isEqualTo(calls);
    }

    @Test
    void repeatedLinesAreRefusedWhateverTheySay() {
        String note = fresh();

        for (String second : List.of("K1", "K2")) {
            String lines = "X-Idempotency-Key: K1\r\nX-Idempotency-Key: " + second + "\r\n";
            assertThat(http().raw(request(note, lines)))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("urn:idempotency:key-invalid");
        }

        assertEffects(note, 0);
    }

    private static String request(String note, String headerLines) {
        String body = "{\"note\":\"" + note + "\"}";
        return "POST /orders HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
                + headerLines + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    @Test
    void aKeyMayHave255CharactersButNot256() {
        String note = fresh();
        String prefix = fresh();
        String longest = prefix + "k".repeat(255 - prefix.length());

        http().post("/orders").key(longest).note(note).send().isFirst(201);
        Answer refused =
                http().post("/orders").key(longest + "k").note(note).send().isProblem(400, "key-invalid");

        assertThat(refused.text()).contains("255").doesNotContain(prefix);
        assertEffects(note, 1);
    }

    @Test
    void theQuotedAndTheBareFormAreOneKey() {
        String note = fresh();
        String key = fresh();

        Answer first =
                http().post("/orders").key("\"" + key + "\"").note(note).send().isFirst(201);
        http().post("/orders").key(key).note(note).send().replays(first);
        http().post("/orders")
                .key("\"" + key + "\";v=1; w=\"x\"")
                .note(note)
                .send()
                .replays(first);

        assertEffects(note, 1);
    }

    @Test
    void bothHeadersAreOneKeyIfTheyAgree() {
        String note = fresh();
        String key = fresh();

        Answer first = http().post("/orders")
                .key(key)
                .header("Idempotency-Key", "\"" + key + "\"")
                .note(note)
                .send()
                .isFirst(201);
        http().post("/orders").header("Idempotency-Key", key).note(note).send().replays(first);
        assertEffects(note, 1);

        String other = fresh();
        http().post("/orders")
                .key(fresh())
                .header("Idempotency-Key", fresh())
                .note(other)
                .send()
                .isProblem(400, "key-invalid");
        assertEffects(other, 0);
    }

    @Test
    void keysAreCaseSensitive() {
        String note = fresh();
        String key = "k" + fresh();

        http().post("/orders").key(key).note(note).send().isFirst(201);
        http().post("/orders").key("K" + key.substring(1)).note(note).send().isFirst(201);

        assertEffects(note, 2);
    }
}
