// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.IdempotencyCoordinator;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterReason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When operations fail, all of their bizType may be suspended: rows C68, C69, C72 and C74 for a bizType as a whole. */
class RouteBreakerContractIT extends HttpContract {

    private static final String ROUTES = "/actuator/idempotencyroutes";

    @Override
    List<String> properties() {
        return List.of(
                "idempotency.namespace=route-breaker",
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.idempotencyroutes.access=unrestricted",
                "idempotency.route-breaker.cooldown=10m",
                "idempotency.route-breaker.window=10m", // however busy the machine is
                "idempotency.biz-types.scripted.route-breaker.failures=3",
                "idempotency.biz-types.open.route-breaker.failures=2",
                "idempotency.biz-types.open.route-breaker.cooldown=1s",
                "idempotency.biz-types.fuzzed.route-breaker.repeats=3");
    }

    private static Answer send(HttpTarget target, String path, String key, String script, String note) {
        return target.post(path).as("a").key(key).script(script).note(note).send();
    }

    private void suspendScripted(String note) {
        HttpTarget other = otherHttp();
        send(http(), "/scripted", fresh(), "500", note).isFirst(500);
        send(other, "/scripted", fresh(), "throw", note);
        send(http(), "/scripted", fresh(), "500", note).isFirst(500);
        awaitSuspended(http(), "/scripted", true);
        awaitSuspended(other, "/scripted", true);
    }

    private static void awaitSuspended(HttpTarget target, String path, boolean suspended) {
        await().until(
                        () -> send(target, path, fresh(), "402", fresh()).status(),
                        status -> status == (suspended ? 503 : 402));
    }

    private static Answer resume(HttpTarget target, String bizType) {
        return target.post(ROUTES + "/" + bizType)
                .json("{\"reason\":\"the ERP is back\"}")
                .send();
    }

    private List<OpenLetter> letters(String note) {
        return OpenLetter.of(server().bean(DeadLetterQueue.class)).stream()
                .filter(letter -> letter.body().contains(note))
                .toList();
    }

    @Test
    void failuresOfDifferentOperationsSuspendAllOfThemOnAllInstancesUntilAnOperatorResumes() {
        String note = fresh();
        String done = fresh();
        Answer first = send(http(), "/scripted", done, "201", done).isFirst(201);

        suspendScripted(note);

        for (HttpTarget target : List.of(http(), otherHttp())) {
            String untouched = fresh();
            Answer refused = send(target, "/scripted", fresh(), "200", untouched)
                    .isProblem(503, "cooling-down")
                    .hasRetryAfter();
            assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(500, 600);
            assertThat(refused.text()).contains("\"violated-policies\":[\"route-breaker\"]");
            assertThat(refused.headers("Link"))
                    .anySatisfy(link -> assertThat(link).contains("#temporary-reduced-capacity", "rel=\"type\""));
            assertEffects(untouched, 0);
            send(target, "/scripted", done, "201", done).replays(first);
            send(target, "/scripted", done, "201", "other").isProblem(422, "key-reused");
            target.post("/scripted").as("a").note(note).send().isProblem(400, "key-missing");
        }
        assertThat(letters(note))
                .singleElement()
                .satisfies(letter -> assertThat(letter.summary().reason()).isEqualTo(DeadLetterReason.ROUTE_SUSPENDED));
        assertThat(otherHttp().call("GET", ROUTES).send().text())
                .contains("\"bizType\":\"scripted\"", "\"state\":\"suspended\"", "\"cause\":\"failures\"");
        send(http(), "/waiting", fresh(), "200", fresh()).isFirst(200);

        assertThat(otherHttp().post(ROUTES + "/scripted").json("{}").send().status())
                .isEqualTo(400);
        assertThat(resume(otherHttp(), "scripted").status()).isEqualTo(200);

        send(otherHttp(), "/scripted", fresh(), "200", fresh()).isFirst(200);
        awaitSuspended(http(), "/scripted", false);
        assertThat(resume(http(), "scripted").status()).isEqualTo(404);
        assertThat(http().call("GET", ROUTES).send().text()).doesNotContain("scripted");
    }

    @Test
    void refusalsAndReplaysNeverSuspend() {
        String done = fresh();
        Answer first = send(http(), "/scripted", done, "200", done).isFirst(200);
        for (int i = 0; i < 5; i++) {
            send(http(), "/scripted", fresh(), "402", fresh()).isFirst(402);
            send(http(), "/scripted", done, "200", done).replays(first);
            send(http(), "/scripted", done, "200", "other").isProblem(422, "key-reused");
            http().post("/scripted").as("a").note(done).send().isProblem(400, "key-missing");
        }
        send(http(), "/scripted", fresh(), "200", fresh()).isFirst(200);
    }

    @Test
    void afterTheSuspensionATrialDecides() {
        String note = fresh();
        send(http(), "/open", fresh(), "500", note).isFirst(500);
        send(http(), "/open", fresh(), "500", note).isFirst(500);

        // A trial that fails, then one that succeeds: each runs once however often it has to ask.
        String failing = fresh();
        String failed = fresh();
        await().until(() -> send(otherHttp(), "/open", failing, "500", failed).status(), status -> status == 500);
        String succeeding = fresh();
        String succeeded = fresh();
        await().until(() -> send(http(), "/open", succeeding, "200", succeeded).status(), status -> status == 200);

        awaitSuspended(http(), "/open", false);
        awaitSuspended(otherHttp(), "/open", false);
        assertEffects(failed, 1);
        assertEffects(succeeded, 1);
        assertThat(letters(note)).hasSize(1);
        assertThat(letters(failed)).hasSize(1);
    }

    @Test
    void oneKeyThatIsRepeatedTooOftenWithoutSuccessSuspends() {
        String key = fresh();
        String note = fresh();
        for (int i = 0; i < 5; i++) {
            send(i % 2 == 0 ? http() : otherHttp(), "/fuzzed", key, "500", note).isFirst(500);
        }

        send(http(), "/fuzzed", fresh(), "200", fresh()).isProblem(503, "cooling-down");
        assertThat(server().bean(IdempotencyCoordinator.class).routes().suspended())
                .anySatisfy(
                        route -> assertThat(route.suspension().cause().code()).isEqualTo("repeats"));
        assertEffects(note, 5);
        assertThat(resume(http(), "fuzzed").status()).isEqualTo(200);
        send(http(), "/fuzzed", fresh(), "200", fresh()).isFirst(200);
    }
}
