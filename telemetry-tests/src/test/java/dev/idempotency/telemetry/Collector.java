// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.telemetry;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.GZIPInputStream;

/** Takes what is exported by OTLP over HTTP, on a port of its own, and keeps it. */
final class Collector implements AutoCloseable {

    private final HttpServer server;
    private final Queue<byte[]> traces = new ConcurrentLinkedQueue<>();
    private final Queue<byte[]> logs = new ConcurrentLinkedQueue<>();
    private final Queue<byte[]> metrics = new ConcurrentLinkedQueue<>();

    Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> keep(exchange, traces));
        server.createContext("/v1/logs", exchange -> keep(exchange, logs));
        server.createContext("/v1/metrics", exchange -> keep(exchange, metrics));
        server.start();
    }

    String address() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private static void keep(HttpExchange exchange, Queue<byte[]> exports) throws IOException {
        boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
        try (InputStream body = zipped ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
            exports.add(body.readAllBytes());
        }
        exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, -1); // an empty message is a full success
        exchange.close();
    }

    /** Every request of every signal, as its bytes. */
    List<Queue<byte[]>> exports() {
        return List.of(traces, logs, metrics);
    }

    List<Span> spans() {
        return traces.stream()
                .map(bytes -> read(() -> ExportTraceServiceRequest.parseFrom(bytes)))
                .flatMap(request -> request.getResourceSpansList().stream())
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream())
                .toList();
    }

    List<LogRecord> logRecords(String logger) {
        return logs.stream()
                .map(bytes -> read(() -> ExportLogsServiceRequest.parseFrom(bytes)))
                .flatMap(request -> request.getResourceLogsList().stream())
                .flatMap(resource -> resource.getScopeLogsList().stream())
                .filter(scope -> scope.getScope().getName().equals(logger))
                .flatMap(scope -> scope.getLogRecordsList().stream())
                .toList();
    }

    List<Metric> metrics() {
        return metrics.stream()
                .map(bytes -> read(() -> ExportMetricsServiceRequest.parseFrom(bytes)))
                .flatMap(request -> request.getResourceMetricsList().stream())
                .flatMap(resource -> resource.getScopeMetricsList().stream())
                .flatMap(scope -> scope.getMetricsList().stream())
                .toList();
    }

    /** Attributes with their values as texts and numbers. */
    static Map<String, Object> values(List<KeyValue> attributes) {
        Map<String, Object> values = new TreeMap<>();
        attributes.forEach(attribute -> values.put(attribute.getKey(), value(attribute.getValue())));
        return values;
    }

    private static Object value(AnyValue value) {
        return value.hasIntValue() ? value.getIntValue() : value.getStringValue();
    }

    static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }

    private interface Parser<M> {
        M parse() throws IOException;
    }

    private static <M> M read(Parser<M> parser) {
        try {
            return parser.parse();
        } catch (IOException e) {
            throw new IllegalStateException("an export is no OTLP message", e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
