// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import static dev.idempotency.tck.conformance.Bench.HOLD;
import static dev.idempotency.tck.conformance.Bench.MARK;
import static dev.idempotency.tck.conformance.Bench.ORDERS;
import static dev.idempotency.tck.conformance.Bench.fresh;
import static dev.idempotency.tck.conformance.Bench.order;
import static dev.idempotency.tck.conformance.ConformanceRow.row;

import dev.idempotency.tck.http.RawAnswer;
import dev.idempotency.tck.http.RawConnection;
import dev.idempotency.tck.http.RawRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What repeats get while the first call runs, and when time has passed. */
final class ConcurrencyRows {

    private static final int AT_ONCE = 50;
    private static final int ROUNDS = 10;

    static final List<ConformanceRow> ALL = List.of(
            row("C51", "of 50 equal requests at once, one runs", ConcurrencyRows::race),
            row(
                    "C51r",
                    "a repeat of a running call is sent away for a while",
                    bench -> OutcomeRows.held(bench, ORDERS)),
            row("C52", "a repeat waits for the first answer, but not for ever", ConcurrencyRows::waits)
                    .with("wait"),
            row("C54", "two keys run at the same time", ConcurrencyRows::twoKeys),
            row("C58", "a claim is kept while its handler runs, however long", ConcurrencyRows::outlivesLease)
                    .with("lease"),
            row("C60", "after its time to live a key is free", ConcurrencyRows::expires)
                    .with("ttl"));

    private ConcurrencyRows() {}

    private static void race(Bench bench) throws IOException {
        for (int round = 1; round <= ROUNDS; round++) {
            RawRequest request = bench.post(ORDERS, fresh(), order(fresh(), 1));
            List<RawConnection> connections = new ArrayList<>();
            try {
                for (int i = 0; i < AT_ONCE; i++) {
                    RawConnection connection = bench.open();
                    connections.add(connection);
                    connection.sendAllButTheLastByte(request);
                }
                for (RawConnection connection : connections) {
                    connection.sendTheLastByte(request);
                }
                List<RawAnswer> answers = new ArrayList<>();
                for (RawConnection connection : connections) {
                    answers.add(connection.receive(request));
                }
                oneRan(answers);
            } finally {
                for (RawConnection connection : connections) {
                    connection.close();
                }
            }
            bench.expectExecutions(round);
        }
    }

    private static void oneRan(List<RawAnswer> answers) {
        answers.stream()
                .filter(answer -> !answer.success())
                .forEach(answer -> Expect.later(Expect.refused(answer, 409)));
        List<RawAnswer> successes = answers.stream().filter(RawAnswer::success).toList();
        Expect.that(
                successes.stream().filter(answer -> answer.all(MARK).isEmpty()).count() == 1,
                "one answer is the handler's own");
        Expect.that(
                successes.stream().map(RawAnswer::text).distinct().count() == 1, "all successes have the same body");
    }

    private static void waits(Bench bench) throws IOException, InterruptedException {
        String path = "/conformance/waiting";
        bench.number("wait");
        RawRequest request = bench.post(path, fresh(), order(fresh(), 1));
        String gate = fresh();
        RawRequest slow = request.with(HOLD, gate);
        try (RawConnection connection = bench.open()) {
            connection.send(slow);
            bench.awaitExecutions(1);
            Expect.later(Expect.refused(bench.send(request), 409)); // its wait is over before the gate opens
            try (RawConnection waiting = bench.open()) {
                waiting.send(request);
                bench.release(gate);
                RawAnswer first = Expect.first(bench.note(connection.receive(slow)));
                Expect.replay(first, bench.note(waiting.receive(request)));
            }
        }
        bench.expectExecutions(1);
    }

    private static void twoKeys(Bench bench) throws IOException, InterruptedException {
        String body = order(fresh(), 1);
        String gate = fresh();
        RawRequest slow = bench.post(ORDERS, fresh(), body).with(HOLD, gate);
        try (RawConnection connection = bench.open()) {
            connection.send(slow);
            bench.awaitExecutions(1);
            Expect.first(bench.send(bench.post(ORDERS, fresh(), body)));
            Expect.that(!connection.answerHasBegun(), "the second call ends while the first is running");
            bench.release(gate);
            Expect.first(bench.note(connection.receive(slow)));
        }
        bench.expectExecutions(2);
    }

    private static void outlivesLease(Bench bench) throws IOException, InterruptedException {
        String gate = fresh();
        RawRequest request = bench.post("/conformance/short-lease", fresh(), order(fresh(), 1));
        RawRequest slow = request.with(HOLD, gate);
        try (RawConnection connection = bench.open()) {
            connection.send(slow);
            bench.awaitExecutions(1);
            for (int lease = 0; lease < 3; lease++) {
                Thread.sleep(bench.number("lease"));
                Expect.refused(bench.send(request), 409);
            }
            bench.release(gate);
            RawAnswer first = Expect.first(bench.note(connection.receive(slow)));
            Expect.replay(first, bench.send(request));
        }
        bench.expectExecutions(1);
    }

    private static void expires(Bench bench) throws IOException, InterruptedException {
        String key = fresh();
        String id = fresh();
        Expect.first(bench.send(bench.post("/conformance/short-lived", key, order(id, 1))));
        Thread.sleep(bench.number("ttl") + 200L);
        Expect.first(bench.send(bench.post("/conformance/short-lived", key, order(id, 2))));
        bench.expectExecutions(2);
    }
}
