// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idempotency.tck.http.Pairs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A receiver of webhooks in 100 lines, which does it right, or has one fault of those that are made by hand. */
final class ToyReceiver implements AutoCloseable {

    enum Fault {
        NONE,
        /** Looks first and writes later, as {@code get} followed by {@code set} does. */
        LOOKS_THEN_WRITES,
        /** Says yes and does nothing. */
        DOES_NOTHING,
        /** Answers a repeat with another body. */
        ANSWERS_ANEW,
        /** Does not say that an answer is a repeat's. */
        DOES_NOT_MARK,
        /** Takes a repeat for an error. */
        FAILS_ON_REPEATS,
        /** Sends a repeat away without saying for how long. */
        FORGETS_RETRY_AFTER,
        /** Refuses everything. */
        REFUSES,
        /** Never answers. */
        HANGS
    }

    private static final String RUNNING = "";

    private final Fault fault;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, String> records = new ConcurrentHashMap<>();
    private final Collection<String> effects = new ConcurrentLinkedQueue<>();
    private final Set<String> bodies = ConcurrentHashMap.newKeySet();
    private final Pairs pairs = new Pairs();
    private final AtomicInteger requests = new AtomicInteger();

    ToyReceiver(Fault fault) throws IOException {
        this.fault = fault;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/orders", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    RetryStorm storm() {
        return RetryStorm.on("/orders").at(url()).effectIds(() -> effects);
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    Collection<String> effects() {
        return effects;
    }

    Set<String> bodies() {
        return bodies;
    }

    int requests() {
        return requests.get();
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            requests.incrementAndGet();
            String key = exchange.getRequestHeaders().getFirst("X-Idempotency-Key");
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            switch (fault) {
                case HANGS -> new CountDownLatch(1).await();
                case REFUSES -> answer(exchange, 410, "gone");
                case LOOKS_THEN_WRITES -> {
                    if (records.get(key) == null) {
                        pairs.meet(key);
                        records.put(key, execute(key));
                    }
                    answer(exchange, 201, records.get(key));
                }
                default -> receive(exchange, key);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void receive(HttpExchange exchange, String key) throws IOException, InterruptedException {
        String earlier = records.putIfAbsent(key, RUNNING);
        if (earlier == null) {
            if (fault == Fault.FORGETS_RETRY_AFTER) {
                pairs.meet(key);
            }
            records.put(key, execute(key));
            answer(exchange, 201, records.get(key));
        } else if (earlier.equals(RUNNING)) {
            pairs.meet(key);
            if (fault != Fault.FORGETS_RETRY_AFTER) {
                exchange.getResponseHeaders().add("Retry-After", "1");
            }
            answer(exchange, 409, "in progress");
        } else if (fault == Fault.FAILS_ON_REPEATS) {
            answer(exchange, 500, "duplicate key");
        } else {
            if (fault != Fault.DOES_NOT_MARK) {
                exchange.getResponseHeaders().add("Idempotent-Replayed", "true");
            }
            answer(exchange, 201, fault == Fault.ANSWERS_ANEW ? earlier + " again" : earlier);
        }
    }

    private String execute(String key) {
        if (fault != Fault.DOES_NOTHING) {
            effects.add(key);
        }
        return "done " + key;
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "text/plain");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
