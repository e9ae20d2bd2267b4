// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import static dev.idempotency.tck.conformance.Bench.ANSWER;
import static dev.idempotency.tck.conformance.Bench.HOLD;
import static dev.idempotency.tck.conformance.Bench.JSON;
import static dev.idempotency.tck.conformance.Bench.fresh;
import static dev.idempotency.tck.conformance.ConformanceRow.row;

import dev.idempotency.tck.http.RawAnswer;
import dev.idempotency.tck.http.RawConnection;
import dev.idempotency.tck.http.RawRequest;
import java.io.IOException;
import java.util.List;

/** Signed webhooks as Standard Webhooks 1.0.0 has them. */
final class WebhookRows {

    private static final String WEBHOOK = "webhook";

    static final List<ConformanceRow> ALL = List.of(
            row("C75", "a signed event runs", bench -> {
                        Expect.first(bench.send(signed(bench, fresh(), now(), body())));
                        bench.expectExecutions(1);
                    })
                    .with(WEBHOOK),
            row("C77", "a forged event is refused and its id not used up", WebhookRows::forged)
                    .with(WEBHOOK),
            row("C79", "a repeat signed anew is acknowledged and does not run", WebhookRows::signedAnew)
                    .with(WEBHOOK),
            row("C80", "a repeat of a running event is to come again", WebhookRows::running)
                    .with(WEBHOOK),
            row("C81", "an event that failed runs again", bench -> {
                        String id = fresh();
                        String body = body();
                        Expect.status(bench.send(signed(bench, id, now(), body).with(ANSWER, "500")), 500);
                        Expect.first(bench.send(signed(bench, id, now(), body)));
                        bench.expectExecutions(2);
                    })
                    .with(WEBHOOK));

    private WebhookRows() {}

    private static String body() {
        return "{\"type\":\"conformance\",\"note\":\"" + fresh() + "\"}";
    }

    private static long now() {
        return System.currentTimeMillis() / 1_000;
    }

    private static RawRequest request(Bench bench, String id, String timestamp, String signature, String body) {
        return bench.request("POST", "/conformance/webhook")
                .with("webhook-id", id)
                .with("webhook-timestamp", timestamp)
                .with("webhook-signature", signature)
                .body(JSON, body);
    }

    private static RawRequest signed(Bench bench, String id, long time, String body) {
        String timestamp = Long.toString(time);
        return request(bench, id, timestamp, StandardSignature.of(id, timestamp, body), body);
    }

    private static void forged(Bench bench) throws IOException {
        String id = fresh();
        String now = Long.toString(now());
        String body = body();
        String signature = StandardSignature.of(id, now, body);
        refused(bench, request(bench, id, now, signature, body.replace("conformance", "conformancf")));
        refused(bench, request(bench, id, now, signature, body.replace(":", ": ")));
        refused(bench, request(bench, id, now, "v1,", body));
        refused(bench, request(bench, id, now, "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=", body));
        refused(bench, request(bench, id, "soon", StandardSignature.of(id, "soon", body), body));
        refused(bench, signed(bench, id, now() - 3_600, body));
        refused(bench, signed(bench, "a." + id, now(), body));
        refused(
                bench,
                bench.request("POST", "/conformance/webhook")
                        .with("webhook-id", id)
                        .with("webhook-timestamp", now)
                        .body(JSON, body));
        bench.expectExecutions(0);
        Expect.first(bench.send(signed(bench, id, now(), body)));
        bench.expectExecutions(1);
    }

    private static void refused(Bench bench, RawRequest request) throws IOException {
        int status = bench.send(request).status();
        Expect.that(status == 401 || status == 400, "a forged event is answered 401 or 400");
    }

    private static void signedAnew(Bench bench) throws IOException {
        String id = fresh();
        String body = body();
        Expect.first(bench.send(signed(bench, id, now() - 60, body)));
        Expect.that(bench.send(signed(bench, id, now(), body)).success(), "a repeat is acknowledged with 2xx");
        bench.expectExecutions(1);
    }

    private static void running(Bench bench) throws IOException, InterruptedException {
        String gate = fresh();
        String id = fresh();
        String body = body();
        RawRequest slow = signed(bench, id, now(), body).with(HOLD, gate);
        try (RawConnection connection = bench.open()) {
            connection.send(slow);
            bench.awaitExecutions(1);
            RawAnswer repeat = bench.send(signed(bench, id, now(), body));
            Expect.that(!repeat.success(), "a repeat of what may still fail is not acknowledged");
            Expect.later(repeat);
            bench.release(gate);
            Expect.first(bench.note(connection.receive(slow)));
        }
        bench.expectExecutions(1);
    }
}
