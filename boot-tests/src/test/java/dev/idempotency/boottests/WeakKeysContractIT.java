// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys that deserve no trust: counted by default, refused in a test profile. */
class WeakKeysContractIT extends HttpContract {

    private static double weak(Server server, String reason) {
        return server.bean(MeterRegistry.class)
                .counter("idempotency.weak.keys", "sender", "create_order", "reason", reason)
                .count();
    }

    @Test
    void theyWorkAndAreCounted() {
        String note = fresh();
        String key = note.substring(0, 4);
        double before = weak(server(), "low-entropy");

        Answer first = http().post("/orders").key(key).note(note).send().isFirst(201);
        http().post("/orders").key(key).note(note).send().replays(first);

        assertThat(weak(server(), "low-entropy")).isEqualTo(before + 2);
        assertEffects(note, 1);
    }

    @Test
    void oneKeyForManyRequestsIsCounted() {
        String key = fresh();
        double before = weak(server(), "reused");
        for (int i = 0; i < 4; i++) {
            http().post("/orders")
                    .key(key)
                    .json("{\"order_id\": " + i + ", \"note\": \"" + key + "\"}")
                    .send();
        }
        assertThat(weak(server(), "reused")).isEqualTo(before + 2);
    }

    @Test
    void aTestProfileRefusesThemBeforeTheStoreIsAsked() {
        List<String> properties = new ArrayList<>(properties());
        properties.add("idempotency.weak-keys=reject");
        String note = fresh();
        try (Server strict = Server.start(properties.toArray(new String[0]))) {
            int calls = strict.store().calls();
            Answer refused =
                    strict.http().post("/orders").key("test").note(note).send().isProblem(400, "key-invalid");
            assertThat(refused.text()).contains("such as a random UUID").doesNotContain("\"test\"");
            assertThat(strict.store().calls()).isEqualTo(calls);
            strict.http().post("/orders").key(fresh()).note(note).send().isFirst(201);
        }
        assertEffects(note, 1);
    }
}
