// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import static dev.idempotency.tck.conformance.Bench.ANSWER;
import static dev.idempotency.tck.conformance.Bench.ORDERS;
import static dev.idempotency.tck.conformance.Bench.fresh;
import static dev.idempotency.tck.conformance.Bench.order;
import static dev.idempotency.tck.conformance.ConformanceRow.row;

import dev.idempotency.tck.http.RawAnswer;
import dev.idempotency.tck.http.RawRequest;
import java.io.IOException;
import java.util.List;

/** What keeps failing. The feature's number is how many failures open the breaker. */
final class BreakerRows {

    private static final String BREAKER = "breaker";

    static final List<ConformanceRow> ALL = List.of(
            row("C68", "what keeps failing is cooled down", BreakerRows::coolsDown)
                    .with(BREAKER),
            row("C69", "another key is not cooled down with it", BreakerRows::otherKey)
                    .with(BREAKER),
            row("C72", "a success is repeated whatever failed before", BreakerRows::successWins)
                    .with(BREAKER));

    private BreakerRows() {}

    private static RawRequest failing(Bench bench, int times) throws IOException {
        RawRequest request = bench.post(ORDERS, fresh(), order(fresh(), 1));
        for (int i = 0; i < times; i++) {
            Expect.status(bench.send(request.with(ANSWER, "500")), 500);
        }
        return request;
    }

    private static void coolsDown(Bench bench) throws IOException {
        int failures = bench.number(BREAKER);
        RawRequest request = failing(bench, failures);
        Expect.later(Expect.refused(bench.send(request), 503));
        bench.expectExecutions(failures);
    }

    private static void otherKey(Bench bench) throws IOException {
        int failures = bench.number(BREAKER);
        failing(bench, failures);
        Expect.first(bench.send(bench.post(ORDERS, fresh(), order(fresh(), 1))));
        bench.expectExecutions(failures + 1L);
    }

    private static void successWins(Bench bench) throws IOException {
        int failures = bench.number(BREAKER);
        RawRequest request = failing(bench, failures - 1);
        RawAnswer first = Expect.first(bench.send(request));
        for (int i = 0; i < failures; i++) {
            Expect.replay(first, bench.send(request.with(ANSWER, "500")));
        }
        bench.expectExecutions(failures);
    }
}
