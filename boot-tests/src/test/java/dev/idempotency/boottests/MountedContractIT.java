// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Under a context path, behind several dispatcher servlets, with paths that know no case, and later in the chain. */
class MountedContractIT extends HttpContract {

    @Override
    List<String> properties() {
        return List.of(
                "mounted=true",
                "server.servlet.context-path=/shop",
                "spring.mvc.servlet.path=/api",
                "idempotency.filter-order=200",
                "idempotency.routes[0].path=/api/routed/**",
                "idempotency.routes[0].biz-type=routed",
                "idempotency.routes[1].path=/own/**",
                "idempotency.routes[1].biz-type=routed");
    }

    private Answer post(String path, String key, String note) {
        return http().post(path).key(key).note(note).send();
    }

    @Test
    void handlersAreFoundUnderTheContextAndTheServletPath() {
        String note = fresh();
        String key = fresh();

        Answer first = post("/shop/api/orders", key, note).isFirst(201);
        post("/shop/api/orders", key, note).replays(first);
        post("/shop/api/orders", "", note).isProblem(400, "key-invalid");

        assertEffects(note, 1);
    }

    @Test
    void whereCaseDoesNotCountItDoesNotMakeAnotherOperation() {
        String note = fresh();
        String key = fresh();

        // It may be a variable that another case changes, which would be other content.
        post("/shop/api/orders/a/lines", key, note).isFirst(200);
        post("/shop/api/ORDERS/A/Lines", key, note).isProblem(422, "key-reused");
        assertEffects(note, 1);

        String routed = fresh();
        post("/shop/api/routed/x", key, routed).isFirst(200);
        post("/shop/api/Routed/X", key, routed).isProblem(422, "key-reused");
        assertEffects(routed, 1);
    }

    @Test
    void everyServletHasItsOwnOperations() {
        String note = fresh();
        String key = fresh();

        Answer first = post("/shop/api/orders", key, note).isFirst(201);
        Answer second = post("/shop/second/orders", key, note).isFirst(201);
        post("/shop/second/orders", key, note).replays(second);
        post("/shop/api/orders", key, note).replays(first);

        assertEffects(note, 2);
    }

    @Test
    void aRouteProtectsADispatcherServletWithAContextOfItsOwn() {
        String note = fresh();
        String key = fresh();

        Answer first = post("/shop/own/received?note=" + note, key, note).isFirst(200);
        post("/shop/own/received?note=" + note, key, note).replays(first);

        assertEffects(note, 1);
    }

    @Test
    void parametersOfAPathAreContent() {
        String note = fresh();
        String key = fresh();

        Answer first = post("/shop/api/orders/a;v=1/lines", key, note).isFirst(200);
        post("/shop/api/orders/a;v=1/lines", key, note).replays(first);
        post("/shop/api/orders/a;v=2/lines", key, note).isProblem(422, "key-reused");

        assertEffects(note, 1);
    }

    @Test
    void noSpellingOfTheServletPathGoesPast() {
        String note = fresh();
        String key = fresh();
        Answer first = post("/shop/api/orders", key, note).isFirst(201);
        Answer own = post("/shop/own/received?note=" + note, key, note).isFirst(200);

        for (String path :
                List.of("/shop/%61pi/orders", "/%73hop/api/orders", "/shop;a=1/api/orders", "/shop/api;a=1/orders")) {
            RawAnswer answer = http().rawPost(path, key, "{\"note\":\"" + note + "\"}");
            assertThat(answer.status()).as(path).isNotEqualTo(201);
            assertThat(answer.text()).doesNotContain(first.text());
        }
        for (String path : List.of("/shop/%6fwn/received", "/shop/own;a=1/received")) {
            http().rawPost(path + "?note=" + note, key, "{\"note\":\"" + note + "\"}");
        }
        assertThat(own.text()).isNotEmpty();
        assertEffects(note, 2);
    }

    @Test
    void whatAFilterInFrontRefusesLeavesNoRecord() {
        String note = fresh();
        String key = fresh();
        int calls = server().store().calls();

        for (String inner : List.of("answer", "send-error-409", "answer")) {
            Answer answer = http().post("/shop/api/orders")
                    .key(key)
                    .header("X-Inner", inner)
                    .note(note)
                    .send();
            assertThat(answer.status()).isIn(202, 409);
            assertThat(answer.headers(Answer.MARK)).isEmpty();
        }
        assertThat(server().store().calls()).isEqualTo(calls);
        assertEffects(note, 0);
    }
}
