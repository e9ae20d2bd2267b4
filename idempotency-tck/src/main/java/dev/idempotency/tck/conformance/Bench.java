// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import dev.idempotency.tck.http.RawAnswer;
import dev.idempotency.tck.http.RawConnection;
import dev.idempotency.tck.http.RawRequest;
import dev.idempotency.tck.http.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Where one row is run: its requests, its own count of executions, and what was seen so far. */
final class Bench {

    static final String ORDERS = "/conformance/orders";
    static final String JSON = "application/json";
    static final String KEY = "Idempotency-Key";
    static final String MARK = "Idempotent-Replayed";
    static final String ANSWER = "X-Conformance-Answer";
    static final String HOLD = "X-Conformance-Hold";

    private static final String CASE = "X-Conformance-Case";

    private final Target target;
    private final Map<String, String> features;
    private final Duration patience;
    private final String name = fresh();
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    Bench(Target target, Map<String, String> features, Duration patience) {
        this.target = target;
        this.features = features;
        this.patience = patience;
    }

    /** A text that was never used before: a key, an order, a gate. */
    static String fresh() {
        return "c" + UUID.randomUUID().toString().replace("-", "");
    }

    /** An order as JSON. */
    static String order(String id, int amount) {
        return "{\"order_id\":\"" + id + "\",\"amount\":" + amount + "}";
    }

    boolean offers(String feature) {
        return features.containsKey(feature);
    }

    /** The number that the server says about a feature. */
    int number(String feature) {
        try {
            return Integer.parseInt(String.valueOf(features.get(feature)).strip());
        } catch (NumberFormatException e) {
            throw new Mismatch("the feature " + feature + " needs a number: " + feature + "=...");
        }
    }

    /** A request of this row, whose executions are counted under the row's name. */
    RawRequest request(String method, String path) {
        return RawRequest.of(method, path).with(CASE, name);
    }

    /** A new order under a key. */
    RawRequest post(String path, String key, String body) {
        return request("POST", path).with(KEY, key).body(JSON, body);
    }

    /** Sends it over a connection of its own. */
    RawAnswer send(RawRequest request) throws IOException {
        try (RawConnection connection = open()) {
            return note(connection.exchange(request.with("Connection", "close")));
        }
    }

    RawConnection open() throws IOException {
        return RawConnection.open(target, patience);
    }

    /** Writes the answer down as seen. */
    RawAnswer note(RawAnswer answer) {
        seen.add(answer.status() + (answer.all(MARK).isEmpty() ? "" : " replayed"));
        return answer;
    }

    /** How often the row's handlers have run. */
    long executions() throws IOException {
        try (RawConnection connection = open()) {
            RawRequest question =
                    RawRequest.of("GET", "/conformance/executions/" + name).with("Connection", "close");
            RawAnswer answer = connection.exchange(question);
            if (answer.status() != 200) {
                throw new Mismatch("/conformance/executions must answer 200, but answers " + answer.status());
            }
            return Long.parseLong(answer.text().strip());
        } catch (NumberFormatException e) {
            throw new Mismatch("/conformance/executions must answer a number: " + e.getMessage());
        }
    }

    void expectExecutions(long expected) throws IOException {
        long count = executions();
        seen.add(count + (count == 1 ? " execution" : " executions"));
        if (count != expected) {
            throw new Mismatch("expected " + expected + " executions, but there were " + count);
        }
    }

    /** Waits until the row's handlers have begun to run that often. */
    void awaitExecutions(long expected) throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (executions() < expected) {
            if (System.nanoTime() > end) {
                throw new Mismatch("the handler did not begin to run");
            }
            Thread.sleep(10);
        }
    }

    /** Lets go a handler that was told to wait at a gate. */
    void release(String gate) throws IOException {
        try (RawConnection connection = open()) {
            connection.exchange(
                    RawRequest.of("POST", "/conformance/release/" + gate).with("Connection", "close"));
        }
    }

    String seen() {
        return String.join(", ", seen);
    }
}
