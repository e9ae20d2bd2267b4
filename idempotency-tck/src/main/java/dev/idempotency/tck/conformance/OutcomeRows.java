// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import static dev.idempotency.tck.conformance.Bench.ANSWER;
import static dev.idempotency.tck.conformance.Bench.HOLD;
import static dev.idempotency.tck.conformance.Bench.ORDERS;
import static dev.idempotency.tck.conformance.Bench.fresh;
import static dev.idempotency.tck.conformance.Bench.order;
import static dev.idempotency.tck.conformance.ConformanceRow.row;

import dev.idempotency.tck.http.RawAnswer;
import dev.idempotency.tck.http.RawConnection;
import dev.idempotency.tck.http.RawRequest;
import java.io.IOException;
import java.util.List;

/** What is kept, by what the first attempt ended in. */
final class OutcomeRows {

    static final List<ConformanceRow> ALL = List.of(
            row("C32", "a body that fails validation may be corrected", OutcomeRows::corrected),
            row("C34", "the handler's refusals are not kept", bench -> {
                RawRequest request =
                        bench.post(ORDERS, fresh(), order(fresh(), 1)).with(ANSWER, "402");
                Expect.unmarked(Expect.status(bench.send(request), 402));
                Expect.unmarked(Expect.status(bench.send(request), 402));
                bench.expectExecutions(2);
            }),
            row("C34k", "where 402 is to be kept, it is repeated", bench -> {
                        RawRequest request = bench.post("/conformance/kept-402", fresh(), order(fresh(), 1))
                                .with(ANSWER, "402");
                        RawAnswer first = Expect.unmarked(Expect.status(bench.send(request), 402));
                        Expect.replay(first, bench.send(request));
                        bench.expectExecutions(1);
                    })
                    .with("kept-402"),
            row("C35", "after a 500 the next repeat runs again", bench -> runsAgainAfter(bench, "500", 500)),
            row("C36", "after an exception the next repeat runs again", bench -> runsAgainAfter(bench, "throw", 500)),
            row("C37", "503 and 429 are passed on and not kept", bench -> {
                Expect.later(runsAgainAfter(bench, "503", 503));
                Expect.later(runsAgainAfter(bench, "429", 429));
            }),
            row("C40", "a body over the limit is refused and claims nothing", OutcomeRows::tooLarge)
                    .with("max-body"),
            row("C42", "an asynchronous handler is running until it ends", bench -> held(bench, "/conformance/async"))
                    .with("async"),
            row("C43", "a client that hangs up undoes nothing", OutcomeRows::hangsUp));

    private OutcomeRows() {}

    private static void corrected(Bench bench) throws IOException {
        String key = fresh();
        Expect.unmarked(Expect.status(bench.send(bench.post(ORDERS, key, "{\"amount\":1}")), 400));
        Expect.first(bench.send(bench.post(ORDERS, key, order(fresh(), 1))));
        bench.expectExecutions(1);
    }

    private static RawAnswer runsAgainAfter(Bench bench, String kind, int status) throws IOException {
        RawRequest request = bench.post(ORDERS, fresh(), order(fresh(), 1));
        long before = bench.executions();
        RawAnswer failed = Expect.unmarked(Expect.status(bench.send(request.with(ANSWER, kind)), status));
        RawAnswer first = Expect.first(bench.send(request));
        Expect.replay(first, bench.send(request));
        bench.expectExecutions(before + 2);
        return failed;
    }

    private static void tooLarge(Bench bench) throws IOException {
        String key = fresh();
        String id = fresh();
        String body = order(id, 1);
        String large = body + " ".repeat(bench.number("max-body") + 1 - body.length());
        Expect.unmarked(Expect.status(bench.send(bench.post(ORDERS, key, large)), 413));
        bench.expectExecutions(0);
        Expect.first(bench.send(bench.post(ORDERS, key, order(id, 2))));
    }

    /** A repeat during the first call is sent away, one after it gets its answer. */
    static void held(Bench bench, String path) throws IOException, InterruptedException {
        String gate = fresh();
        RawRequest request = bench.post(path, fresh(), order(fresh(), 1));
        RawRequest slow = request.with(HOLD, gate);
        try (RawConnection connection = bench.open()) {
            connection.send(slow);
            bench.awaitExecutions(1);
            Expect.later(Expect.refused(bench.send(request), 409));
            bench.release(gate);
            RawAnswer first = Expect.first(bench.note(connection.receive(slow)));
            Expect.replay(first, bench.send(request));
        }
        bench.expectExecutions(1);
    }

    private static void hangsUp(Bench bench) throws IOException, InterruptedException {
        String gate = fresh();
        RawRequest request = bench.post(ORDERS, fresh(), order(fresh(), 1));
        try (RawConnection connection = bench.open()) {
            connection.send(request.with(HOLD, gate));
            bench.awaitExecutions(1);
        }
        bench.release(gate);
        RawAnswer repeat = bench.send(request);
        for (int tries = 0; repeat.status() == 409 && tries < 500; tries++) {
            Thread.sleep(20);
            repeat = bench.send(request);
        }
        Expect.replay(repeat, repeat);
        Expect.that(repeat.success(), "the first answer was kept though nobody read it");
        bench.expectExecutions(1);
    }
}
