// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.IdempotencyException;
import dev.idempotency.spring.problem.Problem;
import dev.idempotency.spring.problem.ProblemRenderer;
import dev.idempotency.spring.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers with the same problem as the filter when a protected method refuses a call and its handler lets that through.
 * Comes after the application's own exception handlers.
 */
public final class IdempotencyExceptionResolver implements HandlerExceptionResolver, Ordered {

    private static final Logger log = LoggerFactory.getLogger(IdempotencyExceptionResolver.class);

    private final ProblemRenderer problems;

    public IdempotencyExceptionResolver(ProblemRenderer problems) {
        this.problems = problems;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE - 1;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
        if (!(thrown instanceof IdempotencyException refusal) || response.isCommitted()) {
            return null;
        }
        try {
            problems.render(problem(refusal), request, response);
            return new ModelAndView();
        } catch (IOException e) {
            log.debug("A refusal could not be sent.", e);
            return null;
        }
    }

    private static Problem problem(IdempotencyException refusal) {
        Duration retryAfter = refusal.retryAfter().orElse(null);
        return refusal instanceof IdempotencyException.CoolingDown cooling
                ? DecisionProblems.coolingDown(cooling.scope(), retryAfter)
                : new Problem(typeOf(refusal), detailOf(refusal), retryAfter);
    }

    private static ProblemType typeOf(IdempotencyException refusal) {
        if (refusal instanceof IdempotencyException.InProgress) {
            return ProblemType.IN_PROGRESS;
        }
        if (refusal instanceof IdempotencyException.KeyReused) {
            return ProblemType.KEY_REUSED;
        }
        if (refusal instanceof IdempotencyException.OutcomeUnknown) {
            return ProblemType.OUTCOME_UNKNOWN;
        }
        if (refusal instanceof IdempotencyException.AlreadyProcessed) {
            return ProblemType.ALREADY_PROCESSED;
        }
        if (refusal instanceof IdempotencyException.KeyMissing) {
            return ProblemType.KEY_MISSING;
        }
        if (refusal instanceof IdempotencyException.StoreUnavailable) {
            return ProblemType.STORE_UNAVAILABLE;
        }
        return ProblemType.RESULT_UNAVAILABLE;
    }

    /** Not the exception's message, which names the application's own classes. */
    private static String detailOf(IdempotencyException refusal) {
        return typeOf(refusal).title() + ".";
    }
}
