// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.Decision;
import dev.idempotency.breaker.BreakerScope;
import dev.idempotency.deadletter.RedriveOutcome.Result;
import dev.idempotency.spring.problem.Problem;
import dev.idempotency.spring.problem.ProblemType;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the sender of a refused request is told. */
final class DecisionProblems {

    private static final Duration STORE_RETRY = Duration.ofSeconds(1);

    /** Another attempt has taken over what this one has undone. */
    static final Problem AFTER_ROLLBACK = new Problem(
            ProblemType.IN_PROGRESS,
            "Processing of the request took too long and was undone; send the same request again later.",
            Duration.ofSeconds(1));

    private DecisionProblems() {}

    /** What becomes of a redrive that is decided so. */
    static Result redriveResult(Decision decision) {
        if (decision instanceof Decision.Run) {
            return Result.RAN;
        }
        if (decision instanceof Decision.Replay) {
            return Result.REPLAYED;
        }
        if (decision instanceof Decision.AlreadyProcessed) {
            return Result.ALREADY_PROCESSED;
        }
        if (decision instanceof Decision.InProgress) {
            return Result.IN_PROGRESS;
        }
        if (decision instanceof Decision.KeyReused) {
            return Result.KEY_REUSED;
        }
        if (decision instanceof Decision.CoolingDown) {
            return Result.COOLING_DOWN;
        }
        if (decision instanceof Decision.OutcomeUnknown) {
            return Result.OUTCOME_UNKNOWN;
        }
        return decision instanceof Decision.ResultUnavailable ? Result.RESULT_UNAVAILABLE : Result.STORE_UNAVAILABLE;
    }

    static Problem coolingDown(BreakerScope scope, @Nullable Duration retryAfter) {
        return switch (scope) {
            case OPERATION ->
                new Problem(
                                ProblemType.COOLING_DOWN,
                                "The request failed repeatedly and is kept for inspection; send it again later.",
                                retryAfter)
                        .violating("breaker");
            case ROUTE ->
                new Problem(
                                ProblemType.COOLING_DOWN,
                                "Requests of this kind are suspended, as such ones failed; send it again later.",
                                retryAfter)
                        .violating("route-breaker");
        };
    }

    static Problem of(Decision decision) {
        if (decision instanceof Decision.InProgress inProgress) {
            return new Problem(
                    ProblemType.IN_PROGRESS,
                    "A request with this idempotency key is still being processed; send the same request again later.",
                    inProgress.retryAfter());
        }
        if (decision instanceof Decision.KeyReused) {
            return Problem.of(
                    ProblemType.KEY_REUSED,
                    "This idempotency key was used for a request with other content; use a new key for a new request.");
        }
        if (decision instanceof Decision.AlreadyProcessed) {
            return Problem.of(ProblemType.ALREADY_PROCESSED, "The request was processed before; nothing was done now.");
        }
        if (decision instanceof Decision.CoolingDown cooling) {
            return coolingDown(cooling.scope(), cooling.retryAfter());
        }
        if (decision instanceof Decision.OutcomeUnknown) {
            return Problem.of(
                    ProblemType.OUTCOME_UNKNOWN,
                    "Processing of the request broke off; it is kept for inspection and will not be run again by itself.");
        }
        if (decision instanceof Decision.StoreUnavailable) {
            return new Problem(
                    ProblemType.STORE_UNAVAILABLE,
                    "The request was not processed, as it cannot be told from a repeat now; send it again later.",
                    STORE_RETRY);
        }
        return Problem.of(
                ProblemType.RESULT_UNAVAILABLE, "The request was processed before, but its answer was not kept.");
    }
}
