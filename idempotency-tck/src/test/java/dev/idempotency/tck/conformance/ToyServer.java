// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idempotency.tck.http.Pairs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The endpoints of the kit by the JDK's own server, done right for every row without a feature, or with one fault. */
final class ToyServer implements AutoCloseable {

    enum Fault {
        NONE,
        ACCEPTS_NO_KEY,
        ACCEPTS_ANY_KEY,
        CUTS_LONG_KEYS,
        TAKES_QUOTES_FOR_THE_KEY,
        TAKES_THE_FIRST_OF_SEVERAL,
        FOLDS_CASE,
        FORGETS_PATH_AND_METHOD,
        PROTECTS_EVERYTHING,
        COMPARES_NOTHING,
        COMPARES_HEADERS,
        FORGETS_FAILED_CONTENT,
        DOES_NOT_MARK,
        REPLAYS_COOKIES,
        REPLAYS_AS_TEXT,
        REPLAYS_WITH_200,
        KEEPS_REFUSALS,
        KEEPS_FAILURES,
        LOOKS_THEN_WRITES,
        FORGETS_RETRY_AFTER,
        RUNS_ONE_AT_A_TIME,
        REFUSES_IN_PLAIN_TEXT,
        FORGETS_WHEN_NOBODY_READS
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
    private record Answer(int status, Map<String, String> headers, byte[] body) {}

    private record Entry(String content, Answer answer) {}

    private final Fault fault;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Entry> records = new ConcurrentHashMap<>();
    private final Map<String, Integer> executions = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final Pairs lookers = new Pairs();
    private final Object oneAtATime = new Object();

    ToyServer(Fault fault) throws IOException {
        this.fault = fault;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.createContext("/conformance/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath().substring("/conformance/".length());
            String last = path.substring(path.lastIndexOf('/') + 1);
            if (path.equals("features")) {
                write(exchange, text(200, ""), false);
            } else if (path.startsWith("executions/")) {
                write(exchange, text(200, Integer.toString(executions.getOrDefault(last, 0))), false);
            } else if (path.startsWith("release/")) {
                gate(last).countDown();
                write(exchange, text(204, ""), false);
            } else if (fault != Fault.PROTECTS_EVERYTHING
                    && (path.equals("unprotected")
                            || exchange.getRequestMethod().equals("GET"))) {
                write(exchange, execute(exchange, "{\"order_id\":\"none\"}"), false);
            } else {
                protect(exchange, new String(body, StandardCharsets.UTF_8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void protect(HttpExchange exchange, String body) throws IOException, InterruptedException {
        List<String> keys = exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of());
        if (keys.isEmpty() && fault == Fault.ACCEPTS_NO_KEY) {
            write(exchange, execute(exchange, body), false);
            return;
        }
        String key = keys.isEmpty() ? "" : keys.get(0);
        if (fault == Fault.TAKES_THE_FIRST_OF_SEVERAL) {
            key = key.substring(0, (key + ",").indexOf(','));
        } else if (keys.size() > 1) {
            key = "";
        }
        if (fault == Fault.CUTS_LONG_KEYS && key.length() > 255) {
            key = key.substring(0, 255);
        }
        if (key.matches("\"[^\"\\\\]*\"") && fault != Fault.TAKES_QUOTES_FOR_THE_KEY) {
            key = key.substring(1, key.length() - 1);
        }
        boolean lenient = fault == Fault.ACCEPTS_ANY_KEY || fault == Fault.TAKES_QUOTES_FOR_THE_KEY;
        if (key.isBlank() || (!lenient && !key.matches("[!#-&(-+\\--~]{1,255}"))) {
            write(exchange, problem(400, "key"), false);
            return;
        }
        String operation = fault == Fault.FORGETS_PATH_AND_METHOD
                ? key
                : exchange.getRequestMethod() + exchange.getRequestURI().getPath() + " " + key;
        once(exchange, fault == Fault.FOLDS_CASE ? operation.toLowerCase(Locale.ROOT) : operation, body);
    }

    private void once(HttpExchange exchange, String operation, String body) throws IOException, InterruptedException {
        String content = exchange.getRequestURI().getQuery()
                + body
                + (fault == Fault.COMPARES_HEADERS
                        ? exchange.getRequestHeaders().getFirst("User-Agent")
                        : "");
        Entry running = new Entry(content, text(0, ""));
        Entry earlier =
                fault == Fault.LOOKS_THEN_WRITES ? records.get(operation) : records.putIfAbsent(operation, running);
        if (fault == Fault.LOOKS_THEN_WRITES && earlier == null) {
            lookers.meet(operation);
        }
        boolean failed = earlier != null && earlier.answer().status() == -1;
        if (earlier != null
                && fault != Fault.COMPARES_NOTHING
                && !earlier.content().equals(content)) {
            write(exchange, problem(422, "reused"), false);
        } else if (earlier == null || (failed && records.replace(operation, earlier, running))) {
            run(exchange, operation, content, body);
        } else if (earlier.answer().status() <= 0) {
            Answer refused = problem(409, "running");
            if (fault != Fault.FORGETS_RETRY_AFTER) {
                refused.headers().put("Retry-After", "1");
            }
            write(exchange, refused, false);
        } else {
            replay(exchange, earlier.answer());
        }
    }

    private void run(HttpExchange exchange, String operation, String content, String body)
            throws IOException, InterruptedException {
        if (fault == Fault.RUNS_ONE_AT_A_TIME) {
            synchronized (oneAtATime) {
                write(exchange, execute(exchange, body), false);
                return;
            }
        }
        Answer answer = execute(exchange, body);
        boolean refusal = answer.status() / 100 == 4 && fault != Fault.KEEPS_REFUSALS;
        boolean failure = answer.status() / 100 == 5 && fault != Fault.KEEPS_FAILURES;
        if (refusal || (failure && fault == Fault.FORGETS_FAILED_CONTENT)) {
            records.remove(operation);
        } else if (failure) {
            records.put(operation, new Entry(content, text(-1, "")));
        } else {
            records.put(operation, new Entry(content, answer));
        }
        if (fault == Fault.FORGETS_WHEN_NOBODY_READS
                && exchange.getRequestHeaders().containsKey("X-Conformance-Hold")) {
            records.remove(operation);
        }
        write(exchange, answer, false);
    }

    private void replay(HttpExchange exchange, Answer first) throws IOException {
        Answer again = new Answer(
                fault == Fault.REPLAYS_WITH_200 ? 200 : first.status(),
                new ConcurrentHashMap<>(first.headers()),
                fault == Fault.REPLAYS_AS_TEXT
                        ? new String(first.body(), StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8)
                        : first.body());
        if (fault != Fault.REPLAYS_COOKIES) {
            again.headers().remove("Set-Cookie");
        }
        write(exchange, again, fault != Fault.DOES_NOT_MARK);
    }

    private Answer execute(HttpExchange exchange, String body) throws InterruptedException {
        if (!body.contains("order_id")) {
            return problem(400, "order_id");
        }
        Headers asked = exchange.getRequestHeaders();
        executions.merge(Objects.requireNonNull(asked.getFirst("X-Conformance-Case")), 1, Integer::sum);
        String hold = asked.getFirst("X-Conformance-Hold");
        if (hold != null) {
            gate(hold).await(fault == Fault.RUNS_ONE_AT_A_TIME ? 2 : 30, TimeUnit.SECONDS);
        }
        String unique = UUID.randomUUID().toString();
        Answer answer = text(201, unique);
        String kind = Objects.requireNonNullElse(asked.getFirst("X-Conformance-Answer"), "created");
        switch (kind) {
            case "created" -> {
                answer.headers().put("Location", "/conformance/orders/" + unique);
                answer.headers().put("ETag", '"' + unique + '"');
            }
            case "cookie" -> answer.headers().put("Set-Cookie", "session=" + unique);
            case "no-content" -> answer = new Answer(204, new ConcurrentHashMap<>(), new byte[0]);
            case "empty" -> answer = text(200, "");
            case "accepted" -> {
                answer = text(202, "");
                answer.headers().put("Location", "/conformance/jobs/" + unique);
            }
            case "see-other" -> {
                answer = text(303, "");
                answer.headers().put("Location", "/conformance/orders/" + unique);
            }
            case "binary" -> {
                byte[] bytes = new byte[256];
                Arrays.setAll(new int[256], i -> bytes[i] = (byte) i);
                answer = new Answer(200, answer.headers(), bytes);
            }
            case "throw" -> answer = problem(500, "thrown");
            default -> {
                answer = problem(Integer.parseInt(kind), "asked for");
                answer.headers().put("Retry-After", "7");
            }
        }
        return answer;
    }

    private CountDownLatch gate(String name) {
        return gates.computeIfAbsent(name, key -> new CountDownLatch(1));
    }

    private Answer problem(int status, String what) {
        Answer answer = text(status, "{\"type\":\"urn:toy:" + what + "\"}");
        if (fault != Fault.REFUSES_IN_PLAIN_TEXT) {
            answer.headers().put("Content-Type", "application/problem+json");
        }
        return answer;
    }

    private static Answer text(int status, String body) {
        Map<String, String> headers = new ConcurrentHashMap<>();
        headers.put("Content-Type", "text/plain");
        return new Answer(status, headers, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(HttpExchange exchange, Answer answer, boolean marked) throws IOException {
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        if (marked) {
            exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
        }
        exchange.sendResponseHeaders(answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
        if (answer.body().length > 0) {
            exchange.getResponseBody().write(answer.body());
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
