// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.idempotency.breaker.SuspensionCause;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.event.Answer;
import dev.idempotency.event.AttemptEnd;
import dev.idempotency.event.AuditLog;
import dev.idempotency.event.Operation;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.store.PreviousAttempt;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** With the application's usual logging library, as its appenders see the events. */
class AuditLogTest {

    private static final String KEY_TEXT = "the-senders-own-key";

    private final Logger logger = (Logger) LoggerFactory.getLogger(AuditLog.LOGGER);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final AuditLog audit = new AuditLog();
    private final Operation operation = new Operation(
            RecordKey.builder("order").part("key", KEY_TEXT).build(),
            IdempotencyPolicy.defaults("order"),
            "http",
            "trace-span");

    @BeforeEach
    void listen() {
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(appender);
        logger.setLevel(null);
    }

    private void tellEverything() {
        audit.claimed(operation, 1, PreviousAttempt.NONE);
        audit.claimed(operation, 2, PreviousAttempt.ORPHANED);
        audit.answered(operation, Answer.REPLAYED);
        audit.ranUnprotected(operation);
        audit.ended(operation, AttemptEnd.SUCCEEDED, Duration.ofMillis(7));
        audit.staleCompletion(operation, AttemptEnd.FAILED, Duration.ofMillis(7));
        audit.completionDelayed(operation, AttemptEnd.SUCCEEDED);
        audit.completionLost(operation, AttemptEnd.SUCCEEDED);
        audit.breakerOpened(operation, Duration.ofSeconds(30));
        audit.routeSuspended(operation, SuspensionCause.FAILURE_RATE, Duration.ofSeconds(30));
        audit.leaseLost(operation);
        audit.letterParked(operation, DeadLetterReason.BREAKER_OPENED, true);
        audit.letterParked(operation, DeadLetterReason.BREAKER_OPENED, false);
        audit.letterLost(operation, DeadLetterReason.STALE_COMPLETION);
    }

    private List<String> messages() {
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void atDebugEveryTransitionIsTold() {
        logger.setLevel(Level.DEBUG);
        tellEverything();
        String key = operation.key().toString();
        assertThat(messages())
                .containsExactly(
                        "claimed " + key,
                        "taken-over " + key,
                        "replayed " + key,
                        "unprotected " + key,
                        "succeeded " + key,
                        "stale " + key,
                        "completion-delayed " + key,
                        "completion-lost " + key,
                        "breaker-opened " + key,
                        "route-suspended " + key,
                        "lease-lost " + key,
                        "letter-parked " + key,
                        "letter-lost " + key);
    }

    @Test
    void atInfoOnlyWhatAPersonMayHaveToLookAtIsTold() {
        logger.setLevel(Level.INFO);
        tellEverything();
        assertThat(messages()).hasSize(10).noneMatch(message -> message.startsWith("claimed"));
    }

    @Test
    void eventsCarryKeyValuePairsAndNothingOfTheSendersKey() {
        logger.setLevel(Level.DEBUG);
        tellEverything();
        assertThat(appender.list).allSatisfy(event -> {
            assertThat(event.getKeyValuePairs().stream().map(pair -> pair.key))
                    .contains("event", "biz_type", "record_key", "transport", "trace");
            assertThat(event.getKeyValuePairs().toString() + event.getFormattedMessage())
                    .contains(operation.key().hex())
                    .doesNotContain(KEY_TEXT);
        });
        assertThat(appender.list.get(8).getKeyValuePairs())
                .anySatisfy(pair -> assertThat(pair.toString()).isEqualTo("cooldown_ms=\"30000\""));
    }

    @Test
    void theEndOfASuspensionNamesTheBizTypeAlone() {
        audit.routeResumed("order", true);
        assertThat(messages()).containsExactly("route-resumed order");
        assertThat(appender.list.get(0).getKeyValuePairs().toString()).contains("biz_type", "order", "by", "operator");
    }
}
