// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.event;

import dev.idempotency.breaker.SuspensionCause;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.store.PreviousAttempt;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;
import org.slf4j.spi.NOPLoggingEventBuilder;

/**
 * Writes every transition of an operation to the logger {@value #LOGGER}: the event and the operation as the message, and
 * key-value pairs that a structured appender carries on as they are. What always happens is told at DEBUG, what a person
 * may have to look at at INFO. An operation is named by its record key, never by the text of its idempotency key.
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
                .log();
    }

    @Override
    public void answered(Operation operation, Answer answer) {
        event(Level.DEBUG, answer.code(), operation).log();
    }

    @Override
    public void ranUnprotected(Operation operation) {
        event(Level.INFO, "unprotected", operation).log();
    }

    @Override
    public void ended(Operation operation, AttemptEnd end, Duration duration) {
        event(Level.DEBUG, word(end), operation)
                .addKeyValue("duration_ms", duration.toMillis())
                .log();
    }

    @Override
    public void staleCompletion(Operation operation, AttemptEnd end, Duration duration) {
        event(Level.INFO, "stale", operation)
                .addKeyValue("end", word(end))
                .addKeyValue("duration_ms", duration.toMillis())
                .log();
    }

    @Override
    public void completionDelayed(Operation operation, AttemptEnd end) {
        event(Level.INFO, "completion-delayed", operation)
                .addKeyValue("end", word(end))
                .log();
    }

    @Override
    public void completionLost(Operation operation, AttemptEnd end) {
        event(Level.INFO, "completion-lost", operation)
                .addKeyValue("end", word(end))
                .log();
    }

    @Override
    public void breakerOpened(Operation operation, Duration cooldown) {
        event(Level.INFO, "breaker-opened", operation)
                .addKeyValue("cooldown_ms", cooldown.toMillis())
                .log();
    }

    @Override
    public void letterParked(Operation operation, DeadLetterReason reason, boolean isNew) {
        if (isNew) {
            event(Level.INFO, "letter-parked", operation)
                    .addKeyValue("reason", word(reason))
                    .log();
        }
    }

    @Override
    public void letterLost(Operation operation, DeadLetterReason reason) {
        event(Level.INFO, "letter-lost", operation)
                .addKeyValue("reason", word(reason))
                .log();
    }

    @Override
    public void routeSuspended(Operation operation, SuspensionCause cause, Duration cooldown) {
        event(Level.INFO, "route-suspended", operation)
                .addKeyValue("cause", cause.code())
                .addKeyValue("cooldown_ms", cooldown.toMillis())
                .log();
    }

    @Override
    public void routeResumed(String bizType, boolean byOperator) {
        log.atInfo()
                .setMessage("route-resumed " + bizType)
                .addKeyValue("event", "route-resumed")
                .addKeyValue("biz_type", bizType)
                .addKeyValue("by", byOperator ? "operator" : "trial")
                .log();
    }

    @Override
    public void leaseLost(Operation operation) {
        event(Level.INFO, "lease-lost", operation).log();
    }

    private LoggingEventBuilder event(Level level, String event, Operation operation) {
        if (!log.isEnabledForLevel(level)) {
            return NOPLoggingEventBuilder.singleton();
        }
        LoggingEventBuilder builder = log.atLevel(level)
                .setMessage(event + " " + operation.key())
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
