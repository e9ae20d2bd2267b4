// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.event;

import dev.idempotency.store.PreviousAttempt;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes every transition of an operation to the logger {@value #LOGGER}, as a short message with key-value pairs that a
 * structured appender carries on as they are. What always happens is told at DEBUG, what a person may have to look at at
 * INFO. An operation is named by its record key, never by the text of its idempotency key.
 */
public final class AuditLog implements IdempotencyListener {

    /** Name of the logger. */
    public static final String LOGGER = "dev.idempotency.audit";

    private final Logger log = LoggerFactory.getLogger(LOGGER);

    @Override
    public void claimed(Operation operation, int attempts, PreviousAttempt previous) {
        Level level = previous == PreviousAttempt.ORPHANED ? Level.INFO : Level.DEBUG;
        event(level, previous == PreviousAttempt.ORPHANED ? "taken-over" : "claimed", operation)
                .addKeyValue("attempts", attempts)
                .addKeyValue("previous", word(previous))
                .log("An operation was claimed.");
    }

    @Override
    public void answered(Operation operation, Answer answer) {
        event(Level.DEBUG, answer.code(), operation).log("A call was answered without running.");
    }

    @Override
    public void ranUnprotected(Operation operation) {
        event(Level.INFO, "unprotected", operation).log("A call ran unprotected.");
    }

    @Override
    public void ended(Operation operation, AttemptEnd end, Duration duration) {
        event(Level.DEBUG, word(end), operation)
                .addKeyValue("duration_ms", duration.toMillis())
                .log("An attempt has ended.");
    }

    @Override
    public void staleCompletion(Operation operation, AttemptEnd end, Duration duration) {
        event(Level.INFO, "stale", operation)
                .addKeyValue("end", word(end))
                .addKeyValue("duration_ms", duration.toMillis())
                .log("An attempt has ended after its claim was lost.");
    }

    @Override
    public void completionDelayed(Operation operation, AttemptEnd end) {
        event(Level.INFO, "completion-delayed", operation)
                .addKeyValue("end", word(end))
                .log("The end of an attempt is to be written later.");
    }

    @Override
    public void completionLost(Operation operation, AttemptEnd end) {
        event(Level.INFO, "completion-lost", operation)
                .addKeyValue("end", word(end))
                .log("The end of an attempt was never written.");
    }

    @Override
    public void breakerOpened(Operation operation, Duration cooldown) {
        event(Level.INFO, "breaker-opened", operation)
                .addKeyValue("cooldown_ms", cooldown.toMillis())
                .log("An operation cools down.");
    }

    @Override
    public void leaseLost(Operation operation) {
        event(Level.INFO, "lease-lost", operation).log("The lease of a running attempt was lost.");
    }

    private LoggingEventBuilder event(Level level, String event, Operation operation) {
        LoggingEventBuilder builder = log.atLevel(level)
                .addKeyValue("event", event)
                .addKeyValue("biz_type", operation.bizType())
                .addKeyValue("record_key", operation.key().hex())
                .addKeyValue("transport", operation.transport());
        return operation.traceId() == null ? builder : builder.addKeyValue("trace", operation.traceId());
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
