// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import static dev.idempotency.tck.conformance.Bench.JSON;
import static dev.idempotency.tck.conformance.Bench.KEY;
import static dev.idempotency.tck.conformance.Bench.ORDERS;
import static dev.idempotency.tck.conformance.Bench.fresh;
import static dev.idempotency.tck.conformance.Bench.order;
import static dev.idempotency.tck.conformance.ConformanceRow.row;

import dev.idempotency.tck.http.RawAnswer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** What the header may be. */
final class HeaderRows {

    static final List<ConformanceRow> ALL = List.of(
            row("C01", "a key is required", HeaderRows::keyIsRequired),
            row("C02", "where the key is optional, nothing is kept without it", HeaderRows::keyIsOptional)
                    .with("optional-key"),
            row("C03", "an empty key is refused", bench -> refused(bench, "", "\"\"", "   ", "\"   \"")),
            row("C04", "a key has at most 255 characters", HeaderRows::length),
            row(
                    "C05",
                    "a key is visible ASCII without comma",
                    bench -> refused(bench, "k\u00e4y", "a\tb", "a\u0001b", "a,b", "a b")),
            row("C06", "a quoted key and the bare key are one", HeaderRows::quoted),
            row(
                    "C08",
                    "bad quoting is refused",
                    bench -> refused(bench, "\"K1", "K1\"", "'K1'", "\"a\\,b\"", "\"a\\\"")),
            row("C09", "several keys are refused", HeaderRows::several),
            row("C10", "both headers are one key if they agree", HeaderRows::bothHeaders)
                    .with("x-header"),
            row("C11", "keys are case-sensitive", HeaderRows::caseSensitive));

    private HeaderRows() {}

    private static void keyIsRequired(Bench bench) throws IOException {
        Expect.refused(bench.send(bench.request("POST", ORDERS).body(JSON, order(fresh(), 1))), 400);
        bench.expectExecutions(0);
    }

    private static void keyIsOptional(Bench bench) throws IOException {
        String body = order(fresh(), 1);
        Expect.first(
                bench.send(bench.request("POST", "/conformance/optional-key").body(JSON, body)));
        Expect.first(
                bench.send(bench.request("POST", "/conformance/optional-key").body(JSON, body)));
        bench.expectExecutions(2);
    }

    private static void refused(Bench bench, String... keys) throws IOException {
        String body = order(fresh(), 1);
        for (String key : keys) {
            Expect.status(bench.send(bench.post(ORDERS, key, body)), 400);
        }
        bench.expectExecutions(0);
    }

    private static void length(Bench bench) throws IOException {
        String body = order(fresh(), 1);
        String longest = (fresh() + "x".repeat(255)).substring(0, 255);
        Expect.first(bench.send(bench.post(ORDERS, longest, body)));
        RawAnswer tooLong = Expect.refused(bench.send(bench.post(ORDERS, longest + "x", body)), 400);
        Expect.that(!tooLong.text().contains(longest), "a refusal does not repeat the key");
        bench.expectExecutions(1);
    }

    private static void quoted(Bench bench) throws IOException {
        String key = fresh();
        String body = order(fresh(), 1);
        RawAnswer first = Expect.first(bench.send(bench.post(ORDERS, '"' + key + '"', body)));
        Expect.replay(first, bench.send(bench.post(ORDERS, key, body)));
        bench.expectExecutions(1);
    }

    private static void several(Bench bench) throws IOException {
        String body = order(fresh(), 1);
        String key = fresh();
        Expect.status(bench.send(bench.post(ORDERS, key, body).with(KEY, fresh())), 400);
        Expect.status(bench.send(bench.post(ORDERS, key, body).with(KEY, key)), 400);
        Expect.status(bench.send(bench.post(ORDERS, '"' + key + "\", \"" + fresh() + '"', body)), 400);
        bench.expectExecutions(0);
    }

    private static void bothHeaders(Bench bench) throws IOException {
        String key = fresh();
        String body = order(fresh(), 1);
        RawAnswer first = Expect.first(bench.send(bench.post(ORDERS, key, body).with("X-" + KEY, '"' + key + '"')));
        Expect.replay(
                first,
                bench.send(bench.request("POST", ORDERS).with("X-" + KEY, key).body(JSON, body)));
        Expect.refused(bench.send(bench.post(ORDERS, key, body).with("X-" + KEY, fresh())), 400);
        bench.expectExecutions(1);
    }

    private static void caseSensitive(Bench bench) throws IOException {
        String key = fresh();
        String body = order(fresh(), 1);
        Expect.first(bench.send(bench.post(ORDERS, key, body)));
        Expect.first(bench.send(bench.post(ORDERS, key.toUpperCase(Locale.ROOT), body)));
        bench.expectExecutions(2);
    }
}
