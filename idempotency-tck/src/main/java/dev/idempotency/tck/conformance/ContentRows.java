// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import static dev.idempotency.tck.conformance.Bench.ANSWER;
import static dev.idempotency.tck.conformance.Bench.KEY;
import static dev.idempotency.tck.conformance.Bench.ORDERS;
import static dev.idempotency.tck.conformance.Bench.fresh;
import static dev.idempotency.tck.conformance.Bench.order;
import static dev.idempotency.tck.conformance.ConformanceRow.row;

import dev.idempotency.tck.http.RawAnswer;
import dev.idempotency.tck.http.RawRequest;
import java.io.IOException;
import java.util.List;

/** When a request is the same, and what becomes of another one under a used key. */
final class ContentRows {

    static final List<ConformanceRow> ALL = List.of(
            row("C45", "other content under a used key is refused", ContentRows::otherContent),
            row("C47", "JSON that means the same is the same", ContentRows::sameMeaning)
                    .with("canonical-json"),
            row("C49", "forms are repeated, and the handler has their parameters", ContentRows::form)
                    .with("forms"),
            row("C49m", "multipart is the same whatever its boundary", ContentRows::multipart)
                    .with("multipart"),
            row("C50", "the content of a failed attempt is remembered", ContentRows::afterFailure));

    private static final String FORMS = "/conformance/forms";

    private ContentRows() {}

    private static void otherContent(Bench bench) throws IOException {
        String key = fresh();
        String id = fresh();
        RawAnswer first = Expect.first(bench.send(bench.post(ORDERS, key, order(id, 1))));
        RawAnswer refused = Expect.refused(bench.send(bench.post(ORDERS, key, order(id, 2))), 422);
        Expect.that(!refused.text().contains(id), "a refusal tells nothing of the first request or answer");
        Expect.replay(first, bench.send(bench.post(ORDERS, key, order(id, 1))));
        bench.expectExecutions(1);
    }

    private static void sameMeaning(Bench bench) throws IOException {
        String key = fresh();
        String id = fresh();
        RawAnswer first = Expect.first(bench.send(
                bench.post(ORDERS, key, "{\"order_id\":\"" + id + "\",\"amount\":1.0,\"note\":\"\u00e9\"}")));
        Expect.replay(
                first,
                bench.send(bench.post(
                        ORDERS, key, "{ \"note\": \"\\u00e9\", \"amount\": 1.00,\n\"order_id\": \"" + id + "\"}")));
        Expect.refused(
                bench.send(
                        bench.post(ORDERS, key, "{\"order_id\":\"" + id + "\",\"amount\":1.01,\"note\":\"\u00e9\"}")),
                422);
        bench.expectExecutions(1);
    }

    private static void form(Bench bench) throws IOException {
        RawRequest request = bench.request("POST", FORMS)
                .with(KEY, fresh())
                .body("application/x-www-form-urlencoded", "order_id=" + fresh() + "&amount=7");
        RawAnswer first = Expect.first(bench.send(request));
        Expect.that(first.text().contains("amount=7"), "the handler has the form's parameters");
        Expect.replay(first, bench.send(request));
        bench.expectExecutions(1);
    }

    private static void multipart(Bench bench) throws IOException {
        String key = fresh();
        String id = fresh();
        RawAnswer first = Expect.first(bench.send(parts(bench, key, id, "one")));
        Expect.that(first.text().contains("amount=7"), "the handler has the parts");
        Expect.replay(first, bench.send(parts(bench, key, id, "two")));
        bench.expectExecutions(1);
    }

    private static RawRequest parts(Bench bench, String key, String id, String boundary) {
        String part = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n";
        return bench.request("POST", FORMS)
                .with(KEY, key)
                .body(
                        "multipart/form-data; boundary=" + boundary,
                        part.formatted("order_id", id) + part.formatted("amount", "7") + "--" + boundary + "--\r\n");
    }

    private static void afterFailure(Bench bench) throws IOException {
        String key = fresh();
        String id = fresh();
        Expect.status(bench.send(bench.post(ORDERS, key, order(id, 1)).with(ANSWER, "500")), 500);
        Expect.refused(bench.send(bench.post(ORDERS, key, order(id, 2))), 422);
        bench.expectExecutions(1);
    }
}
