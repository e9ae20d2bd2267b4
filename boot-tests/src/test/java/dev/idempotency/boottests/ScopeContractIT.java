// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whose key it is, and for what: rows C13 to C21. */
class ScopeContractIT extends HttpContract {

    @Test
    void twoPrincipalsMayUseOneKey() {
        String note = fresh();
        String key = fresh();

        Answer a = http().post("/orders").as("a").key(key).note(note).send().isFirst(201);
        Answer b = http().post("/orders").as("b").key(key).note(note).send().isFirst(201);
        Answer anonymous = http().post("/orders").key(key).note(note).send().isFirst(201);

        assertThat(b.text()).isNotEqualTo(a.text());
        http().post("/orders").as("a").key(key).note(note).send().replays(a);
        http().post("/orders").key(key).note(note).send().replays(anonymous);
        assertEffects(note, 3);
    }

    @Test
    void aRotatedTokenOfTheSameSubjectIsTheSameCaller() {
        String note = fresh();
        String key = fresh();

        Answer first = http().post("/orders").as("a").key(key).note(note).send().isFirst(201);
        http().post("/orders")
                .header("Authorization", "Bearer a.rotated")
                .key(key)
                .note(note)
                .send()
                .replays(first);

        assertEffects(note, 1);
    }

    @Test
    void anotherPathIsAnotherOperation() {
        String note = fresh();
        String key = fresh();

        http().post("/orders").key(key).note(note).send().isFirst(201);
        http().post("/other-orders").key(key).note(note).send().isFirst(200);
        http().post("/orders/7/lines").key(key).note(note).send().isFirst(200);
        http().post("/orders/8/lines").key(key).note(note).send().isFirst(200);

        assertEffects(note, 4);
    }

    @Test
    void anotherSpellingOfThePathIsTheSameOperation() {
        String note = fresh();
        String key = fresh();

        Answer first =
                http().post("/orders/a-7/lines").key(key).note(note).send().isFirst(200);
        http().post("/orders/%61%2D7/lines").key(key).note(note).send().replays(first);

        assertEffects(note, 1);
    }

    @Test
    void anotherMethodIsAnotherOperation() {
        String note = fresh();
        String key = fresh();

        http().post("/orders").key(key).note(note).send().isFirst(201);
        http().call("PATCH", "/orders").key(key).note(note).send().isFirst(200);

        assertEffects(note, 2);
    }

    @Test
    void theQueryIsPartOfTheContent() {
        String note = fresh();
        String key = fresh();

        http().post("/orders?x=1").key(key).note(note).send().isFirst(201);
        http().post("/orders?x=2").key(key).note(note).send().isProblem(422, "key-reused");

        assertEffects(note, 1);
    }

    @Test
    void safeMethodsAreNeverProtected() {
        String note = fresh();
        String key = fresh();
        int calls = server().store().calls();

        http().call("GET", "/orders/" + note).key(key).send().isFirst(200);
        http().call("GET", "/orders/" + note).key(key).send().isFirst(200);
        http().call("HEAD", "/orders/" + note).key(key).send().isFirst(200);

        assertThat(server().store().calls()).isEqualTo(calls);
        assertEffects(note, 3);
    }

    @Test
    void anEndpointThatIsNotProtectedIsLeftAlone() {
        String note = fresh();
        String key = fresh();
        int calls = server().store().calls();

        http().post("/unprotected").key(key).note(note).send().isFirst(200);
        http().post("/unprotected").key(key).note(note).send().isFirst(200);

        assertThat(server().store().calls()).isEqualTo(calls);
        assertEffects(note, 2);
    }

    @Test
    void withTheDefaultKeyPartsAnotherOrderIsAnotherOperation() {
        String note = fresh();
        String key = fresh();

        http().post("/orders").key(key).json(order("1", note)).send().isFirst(201);
        http().post("/orders").key(key).json(order("2", note)).send().isFirst(201);

        assertEffects(note, 2);
    }

    @Test
    void aKeyResolverIdentifiesTheOperationByItsArguments() {
        String note = fresh();
        String key = fresh();

        Answer first = http().post("/resolved")
                .key(key)
                .json(command("u1", "1", note))
                .send()
                .isFirst(200);
        http().post("/resolved").key(key).json(command("u1", "1", note)).send().replays(first);
        http().post("/resolved").key(key).json(command("u1", "2", note)).send().isFirst(200);
        assertEffects(note, 2);

        http().post("/resolved")
                .key(key)
                .json("{\"userId\":null,\"orderNo\":1,\"note\":\"" + note + "\"}")
                .send()
                .isProblem(400, "key-missing");
        http().post("/resolved")
                .key(key)
                .json("{\"orderNo\":\"no number\"}")
                .send()
                .isFirst(400);
        assertEffects(note, 2);
    }

    @Test
    void routesProtectWhatCannotBeAnnotated() {
        String note = fresh();
        String key = fresh();

        Answer first = http().post("/routed/" + note).key(key).note(note).send().isFirst(200);
        http().post("/routed/" + note).key(key).note(note).send().replays(first);

        assertEffects(note, 1);
    }

    @Test
    void whatSecurityRefusesLeavesNoRecord() {
        String note = fresh();
        String key = fresh();
        int calls = server().store().calls();

        http().post("/locked").key(key).note(note).send().isFirst(403);
        assertThat(server().store().calls()).isEqualTo(calls);

        for (int i = 0; i < 5; i++) {
            http().post("/admins-only").as("a").key(key).note(note).send().isFirst(403);
        }
        assertEffects(note, 0);
        http().post("/admins-only").as("admin").key(key).note(note).send().isFirst(200);
        assertEffects(note, 1);
    }

    private static String order(String id, String note) {
        return "{\"order_id\":\"" + id + "\",\"note\":\"" + note + "\"}";
    }

    private static String command(String user, String order, String note) {
        return "{\"userId\":\"" + user + "\",\"orderNo\":" + order + ",\"note\":\"" + note + "\"}";
    }
}
