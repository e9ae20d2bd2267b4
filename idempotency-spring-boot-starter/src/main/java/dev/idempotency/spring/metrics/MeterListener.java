// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.metrics;

import dev.idempotency.breaker.SuspensionCause;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.event.Answer;
import dev.idempotency.event.AttemptEnd;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.event.Operation;
import dev.idempotency.store.PreviousAttempt;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Locale;

/**
 * Counts operations. Every tag has a small set of values: the application's bizTypes, our outcomes, the transports and the
 * name of the store.
 */
public final class MeterListener implements IdempotencyListener {

    /** Only webhooks have senders with names. */
    private static final String NO_SENDER = "none";

    private final MeterRegistry meters;
    private final String store;

    /**
     * A listener.
     *
     * @param store name of the store
     */
    public MeterListener(MeterRegistry meters, String store) {
        this.meters = meters;
        this.store = store;
    }

    @Override
    public void claimed(Operation operation, int attempts, PreviousAttempt previous) {
        if (previous != PreviousAttempt.NONE) {
            count("idempotency.retries", tags(operation).and("previous", word(previous)));
        }
        if (previous == PreviousAttempt.ORPHANED) {
            count("idempotency.takeovers", tags(operation));
        }
    }

    @Override
    public void answered(Operation operation, Answer answer) {
        request(operation, answer.code());
    }

    @Override
    public void ranUnprotected(Operation operation) {
        request(operation, "unprotected");
    }

    @Override
    public void ended(Operation operation, AttemptEnd end, Duration duration) {
        request(operation, word(end));
        Iterable<Tag> tags = tags(operation).and("outcome", word(end));
        meters.timer("idempotency.execution", tags).record(duration);
        coverage(operation, duration);
    }

    /** Above 1 an owner that goes silent loses its claim before it would have been done. */
    private void coverage(Operation operation, Duration duration) {
        double ofLease =
                (double) duration.toNanos() / operation.policy().lease().toNanos();
        Iterable<Tag> tags = Tags.of("sender", NO_SENDER, "biz.type", operation.bizType(), "of", "lease");
        meters.summary("idempotency.ttl.coverage", tags).record(ofLease);
    }

    @Override
    public void letterParked(Operation operation, DeadLetterReason reason, boolean isNew) {
        if (isNew) {
            count("idempotency.dead.letters.parked", letter(operation, reason));
        }
    }

    @Override
    public void letterLost(Operation operation, DeadLetterReason reason) {
        count("idempotency.dead.letters.lost", letter(operation, reason));
    }

    private static Iterable<Tag> letter(Operation operation, DeadLetterReason reason) {
        return Tags.of("biz.type", operation.bizType(), "reason", word(reason));
    }

    @Override
    public void lettersDropped(int count) {
        meters.counter("idempotency.dead.letters.dropped").increment(count);
    }

    @Override
    public void staleCompletion(Operation operation, AttemptEnd end, Duration duration) {
        request(operation, "stale");
        count("idempotency.stale.completions", tags(operation));
    }

    @Override
    public void completionLost(Operation operation, AttemptEnd end) {
        request(operation, "completion-lost");
    }

    @Override
    public void breakerOpened(Operation operation, Duration cooldown) {
        count("idempotency.breaker.opened", tags(operation).and("scope", "operation"));
    }

    @Override
    public void routeSuspended(Operation operation, SuspensionCause cause, Duration cooldown) {
        count("idempotency.breaker.opened", tags(operation).and("scope", "route"));
    }

    @Override
    public void routeResumed(String bizType, boolean byOperator) {
        count("idempotency.routes.resumed", Tags.of("biz.type", bizType, "by", byOperator ? "operator" : "trial"));
    }

    private void request(Operation operation, String outcome) {
        count("idempotency.requests", tags(operation).and("outcome", outcome));
    }

    /** By the overload that every supported Micrometer has. */
    private void count(String name, Iterable<Tag> tags) {
        meters.counter(name, tags).increment();
    }

    private Tags tags(Operation operation) {
        return Tags.of("biz.type", operation.bizType(), "transport", operation.transport(), "store", store);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
