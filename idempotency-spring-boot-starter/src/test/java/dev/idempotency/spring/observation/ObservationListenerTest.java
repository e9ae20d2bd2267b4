// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.event.AttemptEnd;
import dev.idempotency.event.Operation;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.store.PreviousAttempt;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ObservationListenerTest {

    private static Operation operation(String key) {
        return new Operation(
                RecordKey.builder("order").part("key", key).build(), IdempotencyPolicy.defaults("order"), "http", null);
    }

    @Nested
    class Observations {

        private final TestObservationRegistry registry = TestObservationRegistry.create();
        private final ObservationListener listener = new ObservationListener(registry);

        @Test
        void anAttemptIsObservedFromItsClaimToItsEnd() {
            listener.claimed(operation("K1"), 2, PreviousAttempt.FAILED);
            TestObservationRegistryAssert.assertThat(registry)
                    .hasObservationWithNameEqualTo("idempotency.attempt")
                    .that()
                    .hasBeenStarted()
                    .isNotStopped();
            listener.ended(operation("K1"), AttemptEnd.SUCCEEDED, Duration.ofMillis(3));
            TestObservationRegistryAssert.assertThat(registry)
                    .hasSingleObservationThat()
                    .hasBeenStopped()
                    .hasContextualNameEqualTo("idempotent order")
                    .hasLowCardinalityKeyValue("biz.type", "order")
                    .hasLowCardinalityKeyValue("transport", "http")
                    .hasLowCardinalityKeyValue("outcome", "succeeded")
                    .hasHighCardinalityKeyValue("attempt", "2");
        }

        @Test
        void anAttemptThatLostItsClaimIsObservedToItsEndToo() {
            listener.claimed(operation("K1"), 1, PreviousAttempt.NONE);
            listener.staleCompletion(operation("K1"), AttemptEnd.SUCCEEDED, Duration.ofMillis(3));
            listener.claimed(operation("K2"), 1, PreviousAttempt.NONE);
            listener.completionLost(operation("K2"), AttemptEnd.SUCCEEDED);
            TestObservationRegistryAssert.assertThat(registry)
                    .hasNumberOfObservationsWithNameEqualTo("idempotency.attempt", 2)
                    .hasAnObservation(observation -> observation.hasLowCardinalityKeyValue("outcome", "stale"))
                    .hasAnObservation(
                            observation -> observation.hasLowCardinalityKeyValue("outcome", "completion-lost"));
        }

        @Test
        void aReplayKnowsTheTraceOfTheCallThatRan() {
            listener.replayed(operation("K1"), "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7");
            TestObservationRegistryAssert.assertThat(registry)
                    .hasSingleObservationThat()
                    .hasNameEqualTo("idempotency.replay")
                    .hasBeenStopped()
                    .hasHighCardinalityKeyValue("first.trace", "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7");
        }
    }

    @Nested
    class Spans {

        private final InMemorySpanExporter spans = InMemorySpanExporter.create();
        private final OtelTracer tracer = new OtelTracer(
                SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(spans))
                        .build()
                        .get("test"),
                new OtelCurrentTraceContext(),
                event -> {});
        private final ObservationRegistry registry = ObservationRegistry.create();
        private final ObservationListener listener = new ObservationListener(registry);

        Spans() {
            registry.observationConfig()
                    .observationHandler(new ObservationHandler.FirstMatchingCompositeObservationHandler(
                            new ReplayLinks(tracer), new DefaultTracingObservationHandler(tracer)));
        }

        private SpanData replay(String firstTraceId) {
            Observation request = Observation.start("http.server.requests", registry);
            try (Observation.Scope scope = request.openScope()) {
                assertThat(scope).isNotNull();
                listener.replayed(operation("K1"), firstTraceId);
            }
            request.stop();
            SpanData replay = spans.getFinishedSpanItems().get(0);
            SpanData parent = spans.getFinishedSpanItems().get(1);
            assertThat(replay.getName()).isEqualTo("replay order");
            assertThat(replay.getParentSpanId()).isEqualTo(parent.getSpanId());
            assertThat(replay.getAttributes().get(AttributeKey.stringKey("biz.type")))
                    .isEqualTo("order");
            return replay;
        }

        @Test
        void aReplayIsLinkedToTheSpanOfTheCallThatRan() {
            SpanData replay = replay("4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7");
            assertThat(replay.getLinks()).singleElement().satisfies(link -> {
                assertThat(link.getSpanContext().getTraceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
                assertThat(link.getSpanContext().getSpanId()).isEqualTo("00f067aa0ba902b7");
            });
        }

        @Test
        void whereTheFirstSpanIsNotKnownThereIsNoLink() {
            assertThat(replay("4bf92f3577b34da6a3ce929d0e0e4736").getLinks()).isEmpty();
        }

        @Test
        void whereTheFirstCallWasNotTracedThereIsNoLink() {
            assertThat(replay(null).getLinks()).isEmpty();
        }
    }
}
