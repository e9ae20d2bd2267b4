// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.breaker.SuspensionCause;
import dev.idempotency.event.Answer;
import dev.idempotency.event.AttemptEnd;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.event.Operation;
import dev.idempotency.store.PreviousAttempt;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Every event that was told, as a line each. */
final class Heard implements IdempotencyListener {

    private final List<String> events = new CopyOnWriteArrayList<>();

    List<String> events() {
        return List.copyOf(events);
    }

    void forget() {
        events.clear();
    }

    @Override
    public void claimed(Operation operation, int attempts, PreviousAttempt previous) {
        events.add("claimed " + attempts + " " + previous);
    }

    @Override
    public void answered(Operation operation, Answer answer) {
        events.add("answered " + answer.code());
    }

    @Override
    public void ranUnprotected(Operation operation) {
        events.add("ran unprotected");
    }

    @Override
    public void ended(Operation operation, AttemptEnd end, Duration duration) {
        events.add("ended " + end + (duration.isNegative() ? " in no time" : ""));
    }

    @Override
    public void staleCompletion(Operation operation, AttemptEnd end, Duration duration) {
        events.add("stale " + end);
    }

    @Override
    public void completionDelayed(Operation operation, AttemptEnd end) {
        events.add("delayed " + end);
    }

    @Override
    public void completionLost(Operation operation, AttemptEnd end) {
        events.add("lost " + end);
    }

    @Override
    public void breakerOpened(Operation operation, Duration cooldown) {
        events.add("breaker opened " + cooldown);
    }

    @Override
    public void routeSuspended(Operation operation, SuspensionCause cause, Duration cooldown) {
        events.add("route suspended " + cause.code() + " " + cooldown);
    }

    @Override
    public void routeResumed(String bizType, boolean byOperator) {
        events.add("route resumed by " + (byOperator ? "operator" : "trial"));
    }

    @Override
    public void leaseLost(Operation operation) {
        events.add("lease lost");
    }
}
