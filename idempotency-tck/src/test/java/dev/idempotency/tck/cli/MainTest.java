// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MainTest {

    private final Map<String, Integer> effects = new ConcurrentHashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/once", exchange -> {
            try (exchange) {
                String order = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                effects.putIfAbsent(order + exchange.getRequestHeaders().getFirst("X-Shop"), 1);
                exchange.sendResponseHeaders(204, -1);
            }
        });
        server.createContext("/each-time", exchange -> {
            try (exchange) {
                String order = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                effects.merge(order, 1, Integer::sum);
                exchange.sendResponseHeaders(204, -1);
            }
        });
        answer(
                "/effects",
                () -> effects.entrySet().stream()
                        .map(effect -> '"' + effect.getKey() + "\": " + effect.getValue())
                        .collect(Collectors.joining(",", "{", "}")));
        answer(
                "/total",
                () -> Integer.toString(
                        effects.values().stream().mapToInt(Integer::intValue).sum()));
        server.setExecutor(threads);
        server.start();
    }

    private void answer(String path, Supplier<String> text) {
        server.createContext(path, exchange -> {
            try (exchange) {
                byte[] body = text.get().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private int run(String line) {
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        return Main.run(line.replace("URL", url()).split(" "), print, print);
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aStormWithoutHarmEndsWithZero() {
        int code = run("storm --url URL --path /once --deliveries 20 --duplicates 2 --reorder --drop-replies 0.2"
                + " --schedule stripe --compress-to PT0.5S --rate 2000 --concurrency 8 --seed 3 --limit PT1M"
                + " --body-template order-{n} --header X-Shop:-{storm} --name s1"
                + " --effects-url URL/effects --effect-id order-{n}-{storm}");

        assertThat(said()).contains("deliveries               20", "each effect happened once                yes");
        assertThat(code).isZero();
        assertThat(effects).hasSize(20).containsKey("order-7-s1");
    }

    @Test
    void anEffectThatHappenedTwiceEndsWithOneAndIsNamed() {
        int code = run("storm --url URL --path /each-time --deliveries 3 --duplicates 1 --body-template o{n}"
                + " --effects-url URL/effects --effect-id o{n}");

        assertThat(said())
                .contains("each effect happened once                NO")
                .contains("3 of 3 deliveries have not exactly one effect", "effect o0 happened 2 times");
        assertThat(code).isOne();
    }

    @Test
    void aTotalIsEnough() {
        assertThat(run("storm --url URL --path /each-time --deliveries 3 --duplicates 1 --body-template o{n}"
                        + " --effects-url URL/total"))
                .isOne();
        assertThat(said()).contains("6 effects of 3 deliveries");
    }

    @Test
    void whatCannotBeRunEndsWithTwoAndSaysWhy() {
        assertThat(run("storm --url http://192.0.2.1 --path /")).isEqualTo(2);
        assertThat(run("storm --url URL --path / --deliverys 3")).isEqualTo(2);
        assertThat(run("storm --url URL --path / --schedule pigeon")).isEqualTo(2);
        assertThat(run("storm --url URL --path / --compress-to 5s")).isEqualTo(2);
        assertThat(run("storm --path /")).isEqualTo(2);
        assertThat(run("conformance --url URL")).isEqualTo(2);
        assertThat(run("tempest")).isEqualTo(2);
        assertThat(said())
                .contains("you may test 192.0.2.1", "no such option: --deliverys", "--schedule must be one of")
                .contains(
                        "--compress-to must be a duration",
                        "--url must be given",
                        "/conformance/features must answer 200")
                .contains("the command must be storm or conformance");
    }

    @Test
    void helpIsNoMistake() {
        assertThat(run("--help")).isZero();
        assertThat(said()).contains("--i-may-test-this-host");
    }
}
