// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.observation;

import dev.idempotency.event.AttemptEnd;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.event.Operation;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.PreviousAttempt;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Observes every attempt from its claim to its end ({@value #ATTEMPT}), and every replay ({@value #REPLAY}). Both are
 * children of what the calling thread observes, such as the HTTP request.
 */
public final class ObservationListener implements IdempotencyListener {

    /** An attempt at an operation. */
    public static final String ATTEMPT = "idempotency.attempt";

    /** A call that got an earlier one's answer. */
    public static final String REPLAY = "idempotency.replay";

    private final ObservationRegistry registry;
    private final Map<RecordKey, Observation> running = new ConcurrentHashMap<>();

    public ObservationListener(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void claimed(Operation operation, int attempts, PreviousAttempt previous) {
        Observation observation = Observation.createNotStarted(ATTEMPT, registry)
                .contextualName("idempotent " + operation.bizType())
                .lowCardinalityKeyValues(tags(operation))
                .lowCardinalityKeyValue("outcome", "unknown")
                .highCardinalityKeyValue("record.key", operation.key().hex())
                .highCardinalityKeyValue("attempt", Integer.toString(attempts))
                .start();
        Observation lost = running.put(operation.key(), observation);
        if (lost != null) {
            lost.stop();
        }
    }

    @Override
    public void ended(Operation operation, AttemptEnd end, Duration duration) {
        stop(operation, end.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public void staleCompletion(Operation operation, AttemptEnd end, Duration duration) {
        stop(operation, "stale");
    }

    @Override
    public void completionLost(Operation operation, AttemptEnd end) {
        stop(operation, "completion-lost");
    }

    private void stop(Operation operation, String outcome) {
        Observation observation = running.remove(operation.key());
        if (observation != null) {
            observation.lowCardinalityKeyValue("outcome", outcome).stop();
        }
    }

    @Override
    public void replayed(Operation operation, @Nullable String firstTraceId) {
        Observation observation = Observation.createNotStarted(REPLAY, () -> new ReplayContext(firstTraceId), registry)
                .contextualName("replay " + operation.bizType())
                .lowCardinalityKeyValues(tags(operation))
                .highCardinalityKeyValue("record.key", operation.key().hex());
        if (firstTraceId != null) {
            observation.highCardinalityKeyValue("first.trace", firstTraceId);
        }
        observation.start().stop();
    }

    private static KeyValues tags(Operation operation) {
        return KeyValues.of("biz.type", operation.bizType(), "transport", operation.transport());
    }
}
