// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import dev.idempotency.faults.history.Event.Answered;
import dev.idempotency.faults.history.Event.Called;
import dev.idempotency.faults.history.Event.Claimed;
import dev.idempotency.faults.history.Event.Completed;
import dev.idempotency.faults.history.Event.Effect;
import dev.idempotency.faults.history.Event.End;
import dev.idempotency.faults.history.Event.Fault;
import dev.idempotency.faults.history.Event.Reported;
import dev.idempotency.faults.history.Event.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Makes up the history of one operation, with a lease of a second, step by step. */
final class Story {

    static final Promise PROMISE = Promise.reported(Duration.ofSeconds(1));

    private static final String OPERATION = "op";

    private final List<Entry> entries = new ArrayList<>();
    private long micros = 1_000_000;
    private long calls;
    private long effects;

    Story after(long millis) {
        micros += millis * 1_000;
        return this;
    }

    Story add(Event event) {
        micros++;
        entries.add(new Entry(micros, event));
        return this;
    }

    long now() {
        return micros;
    }

    Story called() {
        return add(new Called(OPERATION, ++calls));
    }

    /** The store's clock is the history's. */
    Story claimed(String instance, int attempt) {
        return add(new Claimed(OPERATION, calls, instance, attempt, micros + 1));
    }

    Story effect(String instance, int attempt, long version) {
        return add(new Effect(OPERATION, instance, ++effects, attempt, version));
    }

    Story completed(String instance, long version, Result result) {
        return add(new Completed(OPERATION, instance, version, End.SUCCESS, result));
    }

    Story reported(String instance, Report report, int attempt) {
        return add(new Reported(OPERATION, instance, report, attempt));
    }

    Story fault(FaultKind kind, String instance) {
        return add(new Fault(kind, instance));
    }

    Story seen(int effects, boolean succeeded) {
        return add(new Event.Seen(OPERATION, effects, succeeded));
    }

    Story answered(long call, long effect) {
        return add(new Answered(OPERATION, call, 200, false, "", effect));
    }

    Story replayed(long call, long effect) {
        return add(new Answered(OPERATION, call, 200, true, "", effect));
    }

    Story refused(long call, int status, String problem) {
        return add(new Answered(OPERATION, call, status, false, problem, 0));
    }

    Story unanswered(long call) {
        return add(new Event.Unanswered(OPERATION, call));
    }

    /** A call that runs undisturbed on the instance, as the given attempt. */
    Story runs(String instance, int attempt) {
        called();
        long call = calls;
        claimed(instance, attempt);
        long version = micros;
        effect(instance, attempt, version);
        completed(instance, version, Result.APPLIED);
        return answered(call, effects);
    }

    Verdict checked() {
        return checked(PROMISE);
    }

    Verdict checked(Promise promise) {
        return Checker.check(entries, promise);
    }
}
