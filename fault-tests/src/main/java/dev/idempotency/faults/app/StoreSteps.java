// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.faults.history.Event.End;
import dev.idempotency.faults.history.Event.Result;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult.Claimed;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.OwnerToken;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The steps at the store, as the driver is told of them. May be used from any thread. */
final class StoreSteps {

    private final DriverLine driver;
    private final Holds holds;
    private final Map<RecordKey, String> operations = new ConcurrentHashMap<>();
    private final Map<OwnerToken, Long> versions = new ConcurrentHashMap<>();

    StoreSteps(DriverLine driver, Holds holds) {
        this.driver = driver;
        this.holds = holds;
    }

    /** What the store does. */
    interface Step {
        @Nullable
        Object take() throws Throwable;
    }

    @Nullable
    Object claim(@Nullable Object argument, Step step) throws Throwable {
        Claim claim = (Claim) argument;
        CurrentCall call = CurrentCall.get();
        if (claim == null || call == null) {
            return step.take();
        }
        operations.put(claim.key(), call.operation());
        holds.at(Point.BEFORE_CLAIM);
        Object result;
        try {
            result = Sabotage.current().claimed(step.take());
        } catch (Throwable e) {
            driver.say("claim-unanswered", call.operation());
            throw e;
        }
        if (result instanceof Claimed claimed) {
            versions.put(claim.owner(), claimed.version());
            driver.say(
                    "claimed",
                    call.operation(),
                    call.number(),
                    claim.key().hex(),
                    claimed.attempts(),
                    claimed.version());
            holds.at(Point.AFTER_CLAIM);
        }
        return result;
    }

    @Nullable
    Object complete(Object @Nullable [] arguments, Step step) throws Throwable {
        holds.at(Point.BEFORE_COMPLETION);
        Object result = end(arguments, Result.APPLIED, Result.UNANSWERED, step);
        holds.at(Point.AFTER_COMPLETION);
        return result;
    }

    @Nullable
    Object join(Object @Nullable [] arguments, Step step) throws Throwable {
        holds.at(Point.BEFORE_COMPLETION);
        Object result = end(arguments, Result.JOINED, Result.UNJOINED, step);
        holds.at(Point.AFTER_COMPLETION);
        return result;
    }

    private @Nullable Object end(Object @Nullable [] arguments, Result success, Result silence, Step step)
            throws Throwable {
        if (arguments == null) {
            return step.take();
        }
        RecordKey key = (RecordKey) arguments[0];
        long version = versions.getOrDefault((OwnerToken) arguments[1], 0L);
        End end = end(arguments[2]);
        Object result;
        try {
            Sabotage sabotage = Sabotage.current();
            result = sabotage.completed(sabotage.writes() ? step.take() : Sabotage.APPLIED);
        } catch (Throwable e) {
            driver.say("completed", operation(key), version, end, silence);
            throw e;
        }
        driver.say(
                "completed",
                operation(key),
                version,
                end,
                result instanceof CompletionResult.Applied ? success : Result.STALE);
        return result;
    }

    private static End end(Object completion) {
        if (completion instanceof Completion.Success) {
            return End.SUCCESS;
        }
        return completion instanceof Completion.Failure ? End.FAILURE : End.RELEASE;
    }

    void parked(RecordKey key, DeadLetterReason reason) {
        driver.say("reported", operation(key), "LETTER_" + reason, 0);
    }

    String operation(RecordKey key) {
        return operations.getOrDefault(key, "unknown");
    }
}
