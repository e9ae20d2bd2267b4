// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import static dev.idempotency.tck.conformance.Bench.ANSWER;
import static dev.idempotency.tck.conformance.Bench.MARK;
import static dev.idempotency.tck.conformance.Bench.ORDERS;
import static dev.idempotency.tck.conformance.Bench.fresh;
import static dev.idempotency.tck.conformance.Bench.order;
import static dev.idempotency.tck.conformance.ConformanceRow.row;

import dev.idempotency.tck.http.RawAnswer;
import dev.idempotency.tck.http.RawRequest;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** What a repeat gets. */
final class ReplayRows {

    private static final String ORIGIN = "https://conformance.example";

    static final List<ConformanceRow> ALL = List.of(
            row("C23", "a repeat gets the first answer, marked", ReplayRows::created),
            row("C24", "what belongs to one exchange is not repeated", ReplayRows::ofOneExchange),
            row("C25", "answers without a body are repeated as they were", ReplayRows::withoutBody),
            row("C26", "binary bodies are repeated byte for byte", bench -> repeated(bench, "binary", 200)),
            row("C27", "a redirect is repeated, not followed", bench -> {
                RawAnswer first = repeated(bench, "see-other", 303);
                Expect.that(first.first("Location").isPresent(), "303 has a Location");
            }),
            row("C29", "other headers do not make it another request", ReplayRows::otherHeaders),
            row("C30", "browsers on another origin see the mark", ReplayRows::crossOrigin)
                    .with("cors"));

    private ReplayRows() {}

    private static RawAnswer repeated(Bench bench, String kind, int status) throws IOException {
        RawRequest request = bench.post(ORDERS, fresh(), order(fresh(), 1)).with(ANSWER, kind);
        long before = bench.executions();
        RawAnswer first = Expect.status(Expect.unmarked(bench.send(request)), status);
        Expect.replay(first, bench.send(request));
        bench.expectExecutions(before + 1);
        return first;
    }

    private static void created(Bench bench) throws IOException {
        RawAnswer first = repeated(bench, "created", 201);
        Expect.that(first.first("Location").isPresent(), "the endpoint answers with a Location");
        Expect.that(first.first("ETag").isPresent(), "the endpoint answers with an ETag");
        Expect.that(first.body().length > 0, "the endpoint answers with a body");
    }

    private static void ofOneExchange(Bench bench) throws IOException {
        RawRequest request = bench.post(ORDERS, fresh(), order(fresh(), 1)).with(ANSWER, "cookie");
        RawAnswer first = Expect.first(bench.send(request));
        Expect.that(first.first("Set-Cookie").isPresent(), "the endpoint sets a cookie");
        RawAnswer repeat = Expect.replay(first, bench.send(request));
        Expect.that(repeat.all("Set-Cookie").isEmpty(), "a repeat gets no cookie");
        Expect.that(repeat.all("Date").size() <= 1, "Date is there once at most");
        Expect.that(repeat.all("Content-Length").size() <= 1, "Content-Length is there once at most");
        bench.expectExecutions(1);
    }

    private static void withoutBody(Bench bench) throws IOException {
        RawAnswer noContent = repeated(bench, "no-content", 204);
        Expect.that(noContent.all("Content-Type").isEmpty(), "204 has no Content-Type");
        RawAnswer empty = repeated(bench, "empty", 200);
        Expect.that(empty.body().length == 0, "the endpoint answers 200 without a body");
        RawAnswer accepted = repeated(bench, "accepted", 202);
        Expect.that(accepted.first("Location").isPresent(), "202 says where to ask");
    }

    private static void otherHeaders(Bench bench) throws IOException {
        RawRequest request = bench.post(ORDERS, fresh(), order(fresh(), 1));
        RawAnswer first = Expect.first(bench.send(request.with("User-Agent", "one")));
        Expect.replay(
                first,
                bench.send(request.with("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                        .with("User-Agent", "two")));
        bench.expectExecutions(1);
    }

    private static void crossOrigin(Bench bench) throws IOException {
        RawAnswer preflight = bench.send(bench.request("OPTIONS", ORDERS)
                .with("Origin", ORIGIN)
                .with("Access-Control-Request-Method", "POST")
                .with("Access-Control-Request-Headers", "content-type, idempotency-key"));
        Expect.that(preflight.success(), "the preflight is answered with 2xx");
        Expect.that(
                lists(preflight, "Access-Control-Allow-Headers", "idempotency-key"), "the preflight allows the key");
        RawRequest request = bench.post(ORDERS, fresh(), order(fresh(), 1)).with("Origin", ORIGIN);
        RawAnswer first = Expect.first(bench.send(request));
        RawAnswer repeat = Expect.replay(first, bench.send(request));
        for (RawAnswer answer : List.of(first, repeat)) {
            Expect.that(answer.all("Access-Control-Allow-Origin").size() == 1, "the origin is allowed, once");
        }
        Expect.that(lists(repeat, "Access-Control-Expose-Headers", MARK), "the mark is exposed");
        bench.expectExecutions(1);
    }

    private static boolean lists(RawAnswer answer, String header, String name) {
        return answer.all(header).stream()
                .flatMap(line -> List.of(line.split(",")).stream())
                .map(element -> element.strip().toLowerCase(Locale.ROOT))
                .anyMatch(name.toLowerCase(Locale.ROOT)::equals);
    }
}
