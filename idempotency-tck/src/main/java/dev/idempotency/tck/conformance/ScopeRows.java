// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import static dev.idempotency.tck.conformance.Bench.JSON;
import static dev.idempotency.tck.conformance.Bench.KEY;
import static dev.idempotency.tck.conformance.Bench.ORDERS;
import static dev.idempotency.tck.conformance.Bench.fresh;
import static dev.idempotency.tck.conformance.Bench.order;
import static dev.idempotency.tck.conformance.ConformanceRow.row;

import dev.idempotency.tck.http.RawAnswer;
import dev.idempotency.tck.http.RawRequest;
import java.io.IOException;
import java.util.List;

/** Whose key it is, and for what. */
final class ScopeRows {

    static final List<ConformanceRow> ALL = List.of(
            row("C13", "a key belongs to its caller", ScopeRows::callers).with("principals"),
            row("C14", "a caller stays the same with another token", ScopeRows::rotated)
                    .with("principals"),
            row("C15", "a key belongs to its path", bench -> {
                String key = fresh();
                String body = order(fresh(), 1);
                bothRun(bench, bench.post(ORDERS, key, body), bench.post("/conformance/refunds", key, body));
            }),
            row("C16", "a key belongs to its method", bench -> {
                String key = fresh();
                String body = order(fresh(), 1);
                bothRun(
                        bench,
                        bench.post(ORDERS, key, body),
                        bench.request("PATCH", ORDERS).with(KEY, key).body(JSON, body));
            }),
            row("C17", "another query under the same key is refused", ScopeRows::query),
            row("C19", "GET is never protected", bench -> {
                RawRequest get = bench.request("GET", ORDERS).with(KEY, fresh());
                bothRun(bench, get, get);
            }),
            row("C20", "an endpoint that is not protected is left alone", bench -> {
                RawRequest post = bench.post("/conformance/unprotected", fresh(), order(fresh(), 1));
                bothRun(bench, post, post);
            }),
            row("C21", "one key for two orders is two operations", bench -> {
                        String key = fresh();
                        bothRun(
                                bench,
                                bench.post(ORDERS, key, order(fresh(), 1)),
                                bench.post(ORDERS, key, order(fresh(), 1)));
                    })
                    .with("business-id"));

    private ScopeRows() {}

    private static void bothRun(Bench bench, RawRequest one, RawRequest other) throws IOException {
        Expect.first(bench.send(one));
        Expect.first(bench.send(other));
        bench.expectExecutions(2);
    }

    private static void callers(Bench bench) throws IOException {
        RawRequest request = bench.post(ORDERS, fresh(), order(fresh(), 1));
        RawAnswer first = Expect.first(bench.send(request.with("Authorization", "Bearer conformance-a.1")));
        RawAnswer other = Expect.first(bench.send(request.with("Authorization", "Bearer conformance-b.1")));
        Expect.that(!other.text().equals(first.text()), "another caller gets an answer of its own");
        bench.expectExecutions(2);
    }

    private static void rotated(Bench bench) throws IOException {
        RawRequest request = bench.post(ORDERS, fresh(), order(fresh(), 1));
        RawAnswer first = Expect.first(bench.send(request.with("Authorization", "Bearer conformance-a.1")));
        Expect.replay(first, bench.send(request.with("Authorization", "Bearer conformance-a.2")));
        bench.expectExecutions(1);
    }

    private static void query(Bench bench) throws IOException {
        String key = fresh();
        String body = order(fresh(), 1);
        Expect.first(bench.send(bench.post(ORDERS + "?x=1", key, body)));
        Expect.refused(bench.send(bench.post(ORDERS + "?x=2", key, body)), 422);
        bench.expectExecutions(1);
    }
}
