// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.telemetry;

import static dev.idempotency.telemetry.Collector.hex;
import static dev.idempotency.telemetry.Collector.values;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.idempotency.event.AuditLog;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.SeverityNumber;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application reports to a collector in this process, with the appender configured as docs/operations.md tells it. It has
 * ended, and with it everything is exported, before anything is asserted.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TelemetryTest {

    private static final String FIRST_TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SECOND_TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    private static final String KEY = "key-text-of-the-sender";
    private static final String BODY = "body-text-of-the-sender";
    private static final String HEADER = "header-text-of-the-sender";

    private static final Pattern LOGGING = Pattern.compile("```xml\\n(<configuration>.*?)```", Pattern.DOTALL);
    private static final Pattern RECORD = Pattern.compile("\"recordKey\":\"([0-9a-f]+)\",\"version\":(\\d+)");
    private static final Pattern LETTER = Pattern.compile("\"id\":\"([^\"]+)\"");

    private final HttpClient http = HttpClient.newHttpClient();
    private Collector collector;
    private String base;

    @BeforeAll
    void runAnApplication(@TempDir Path directory) throws Exception {
        Matcher logging = LOGGING.matcher(Files.readString(Path.of("../docs/operations.md")));
        assertThat(logging.find()).isTrue();
        Path file = Files.writeString(directory.resolve("logback.xml"), logging.group(1));
        collector = new Collector();

        try (ConfigurableApplicationContext application = SpringApplication.run(
                TelemetryApplication.class,
                "--server.port=0",
                "--logging.config=" + file.toUri(),
                "--management.tracing.sampling.probability=1",
                "--management.opentelemetry.tracing.export.otlp.endpoint=" + collector.address() + "/v1/traces",
                "--management.opentelemetry.logging.export.otlp.endpoint=" + collector.address() + "/v1/logs",
                "--management.otlp.metrics.export.url=" + collector.address() + "/v1/metrics",
                "--management.endpoints.web.exposure.include=*",
                "--management.endpoint.idempotencyletters.access=unrestricted",
                "--management.endpoint.idempotencyrecords.access=unrestricted",
                "--idempotency.biz-types.create_order.breaker.window=5m")) {
            base = "http://localhost:" + application.getEnvironment().getRequiredProperty("local.server.port");
            serve(application.getBean(TelemetryApplication.Held.class));
        }
    }

    private void serve(TelemetryApplication.Held held) throws Exception {
        assertThat(order(KEY, BODY, FIRST_TRACE).statusCode()).isEqualTo(201);
        assertThat(order(KEY, BODY, SECOND_TRACE).headers().firstValue("Idempotent-Replayed"))
                .contains("true");
        assertThat(order(KEY, BODY + " changed", SECOND_TRACE).statusCode()).isEqualTo(422);
        assertThat(order(KEY + ",", BODY, SECOND_TRACE).statusCode()).isEqualTo(400);
        assertThat(post("/refused?status=400", KEY, BODY).statusCode()).isEqualTo(400);
        for (int i = 0; i < 3; i++) {
            assertThat(post("/refused?status=500", KEY, BODY).statusCode()).isEqualTo(500);
        }
        assertThat(post("/refused?status=500", KEY, BODY).statusCode()).isEqualTo(503);

        CompletableFuture<HttpResponse<String>> paused = CompletableFuture.supplyAsync(() -> post("/held", KEY, BODY));
        held.running().await();
        assertThat(post("/held", KEY, BODY).statusCode()).isEqualTo(409);
        Matcher claim = RECORD.matcher(get("/actuator/idempotencyrecords?path=/held&key=" + KEY));
        assertThat(claim.find()).isTrue();
        act(
                "/actuator/idempotencyrecords/create_order/" + claim.group(1),
                "{\"version\":" + claim.group(2) + ",\"reason\":\"taken for dead\"}");
        held.goOn().countDown();
        assertThat(paused.join().statusCode()).isEqualTo(200);

        Matcher letter = LETTER.matcher(get("/actuator/idempotencyletters?reason=breaker-opened"));
        assertThat(letter.find()).isTrue();
        act("/actuator/idempotencyletters/" + letter.group(1), "{\"action\":\"redrive\"}");
        act("/actuator/idempotencyletters/" + letter.group(1), "{\"action\":\"discard\",\"note\":\"too late\"}");
    }

    @AfterAll
    void stop() {
        collector.close();
    }

    @Test
    void anAuditEventIsCarriedOnWithItsPairsAndItsTrace() {
        LogRecord claimed = event("claimed", FIRST_TRACE);
        Map<String, Object> pairs = values(claimed.getAttributesList());

        assertThat(claimed.getSeverityNumber()).isEqualTo(SeverityNumber.SEVERITY_NUMBER_DEBUG);
        assertThat(claimed.getBody().getStringValue()).startsWith("claimed create_order:");
        assertThat(pairs)
                .containsOnlyKeys("event", "biz_type", "record_key", "transport", "trace", "attempts", "previous")
                .containsEntry("biz_type", "create_order")
                .containsEntry("transport", "http")
                .containsEntry("trace", FIRST_TRACE + "-" + hex(claimed.getSpanId()))
                .containsEntry("attempts", 1L)
                .containsEntry("previous", "none");
        assertThat((String) pairs.get("record_key")).matches("[0-9a-f]{64}");
        assertThat(values(event("succeeded", FIRST_TRACE).getAttributesList()))
                .containsEntry("record_key", pairs.get("record_key"))
                .containsKey("duration_ms");
        assertThat(values(event("replayed", SECOND_TRACE).getAttributesList()))
                .containsEntry("record_key", pairs.get("record_key"));
    }

    @Test
    void everyTransitionIsAnEvent() {
        assertThat(audit().stream().map(TelemetryTest::event))
                .contains("claimed", "succeeded", "replayed", "key-reused", "released", "failed", "breaker-opened")
                .contains("cooling-down", "in-progress", "stale", "letter-parked")
                .contains("record.release", "letter.redrive", "letter.discard");
        assertThat(audit()).allSatisfy(record -> assertThat(record.getTraceId()).isNotEmpty());
    }

    @Test
    void whatAnOperatorDoesIsAnEvent() {
        LogRecord redrive = audit().stream()
                .filter(record -> event(record).equals("letter.redrive"))
                .findFirst()
                .orElseThrow();

        assertThat(redrive.getSeverityNumber()).isEqualTo(SeverityNumber.SEVERITY_NUMBER_INFO);
        assertThat(values(redrive.getAttributesList()))
                .containsOnlyKeys("event", "operator", "biz_type", "record_key", "letter", "state", "result")
                .containsEntry("operator", "anonymous")
                .containsEntry("biz_type", "create_order")
                .containsEntry("state", "redriven")
                .containsEntry("result", "ran");
    }

    @Test
    void anAttemptAndAReplayAreSpansAndTheReplayLeadsToTheAttempt() {
        Span attempt = span("idempotent create_order", FIRST_TRACE);
        Span replay = span("replay create_order", SECOND_TRACE);

        assertThat(values(attempt.getAttributesList()))
                .containsEntry("biz.type", "create_order")
                .containsEntry("outcome", "succeeded")
                .containsEntry("transport", "http");
        assertThat(replay.getLinksList()).hasSize(1);
        assertThat(hex(replay.getLinks(0).getTraceId())).isEqualTo(FIRST_TRACE);
        assertThat(replay.getLinks(0).getSpanId())
                .as("the span of the call that ran")
                .isEqualTo(attempt.getParentSpanId());
        assertThat(span("http post /orders", SECOND_TRACE, replay.getParentSpanId()))
                .isNotNull();
        assertThat(values(replay.getAttributesList()))
                .containsEntry("record.key", values(attempt.getAttributesList()).get("record.key"));
    }

    @Test
    void callsAreCounted() {
        Map<String, Double> requests = new TreeMap<>();
        collector.metrics().stream()
                .filter(metric -> metric.getName().equals("idempotency.requests"))
                .map(Metric::getSum)
                .flatMap(sum -> sum.getDataPointsList().stream())
                .forEach(point -> requests.merge(
                        (String) values(point.getAttributesList()).get("outcome"), point.getAsDouble(), Math::max));

        assertThat(requests)
                .containsEntry("replayed", 1.0)
                .containsEntry("key-reused", 1.0)
                .containsEntry("cooling-down", 1.0)
                .containsEntry("stale", 1.0);
    }

    @Test
    void noTextOfAKeyABodyOrAHeaderIsExported() {
        for (Queue<byte[]> exports : collector.exports()) {
            assertThat(exports).isNotEmpty();
            String all = exports.stream()
                    .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
                    .reduce("", String::concat);
            assertThat(all).contains("create_order");
            for (String text : List.of(KEY, BODY, HEADER)) {
                assertThat(all.contains(text)).as(text).isFalse();
            }
        }
    }

    private List<LogRecord> audit() {
        return collector.logRecords(AuditLog.LOGGER);
    }

    private static String event(LogRecord record) {
        return String.valueOf(values(record.getAttributesList()).get("event"));
    }

    private LogRecord event(String name, String trace) {
        return audit().stream()
                .filter(record ->
                        event(record).equals(name) && hex(record.getTraceId()).equals(trace))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no event " + name + " in " + audit()));
    }

    private Span span(String name, String trace) {
        return spans(name, trace).get(0);
    }

    private Span span(String name, String trace, ByteString id) {
        return spans(name, trace).stream()
                .filter(span -> span.getSpanId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private List<Span> spans(String name, String trace) {
        List<Span> found = collector.spans().stream()
                .filter(span ->
                        span.getName().equals(name) && hex(span.getTraceId()).equals(trace))
                .toList();
        assertThat(found).as(name + " in " + collector.spans()).isNotEmpty();
        return found;
    }

    private HttpResponse<String> order(String key, String body, String trace) {
        return send(request("/orders", key, body).header("traceparent", "00-" + trace + "-00f067aa0ba902b7-01"));
    }

    private HttpResponse<String> post(String path, String key, String body) {
        return send(request(path, key, body));
    }

    private HttpRequest.Builder request(String path, String key, String body) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("Content-Type", "text/plain")
                .header("X-Idempotency-Key", key)
                .header("X-Secret", HEADER)
                .POST(BodyPublishers.ofString(body));
    }

    private void act(String path, String json) {
        send(HttpRequest.newBuilder(URI.create(base + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json)));
    }

    private String get(String path) {
        return send(HttpRequest.newBuilder(URI.create(base + path))).body();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
