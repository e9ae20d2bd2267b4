// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.event.AttemptEnd;
import dev.idempotency.spring.web.FailureClassifier.Attempt;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what an attempt at an endpoint ends in: by what it threw, if there is a rule for that, otherwise by its status. */
public final class OutcomeRules {

    private static final Logger log = LoggerFactory.getLogger(OutcomeRules.class);
    private static final int INTERNAL_SERVER_ERROR = 500;
    private static final int MAX_CAUSES = 20;

    private final String bizType;
    private final StatusSet replayStatuses;
    private final Map<Class<?>, AttemptEnd> exceptions;
    private final FailureClassifier classifier;

    /**
     * The rules of one endpoint.
     *
     * @param replayStatuses statuses whose answers are kept and given again
     * @param exceptions rules by exception; the nearest superclass of what was thrown counts, then that of its cause
     * @param classifier has the last word
     */
    public OutcomeRules(
            String bizType,
            StatusSet replayStatuses,
            Map<Class<?>, AttemptEnd> exceptions,
            FailureClassifier classifier) {
        this.bizType = bizType;
        this.replayStatuses = replayStatuses;
        this.exceptions = Map.copyOf(exceptions);
        this.classifier = classifier;
    }

    /**
     * What an attempt ends in.
     *
     * @param status of its answer
     * @param thrown what it threw, if anything
     */
    public AttemptEnd endOf(int status, @Nullable Throwable thrown) {
        AttemptEnd byPolicy = byPolicy(status, thrown);
        try {
            AttemptEnd decided = classifier.classify(new Attempt(bizType, status, thrown, byPolicy));
            return Objects.requireNonNull(decided, "the failure classifier must decide");
        } catch (RuntimeException e) {
            log.error("The failure classifier failed; an attempt at {} ends as its policy says.", bizType, e);
            return byPolicy;
        }
    }

    private AttemptEnd byPolicy(int status, @Nullable Throwable thrown) {
        AttemptEnd named = byException(thrown);
        if (named != null) {
            return named;
        }
        if (thrown != null && Refusals.isRefusal(thrown)) {
            return AttemptEnd.RELEASED;
        }
        if (replayStatuses.contains(status)) {
            return AttemptEnd.SUCCEEDED;
        }
        return status >= INTERNAL_SERVER_ERROR ? AttemptEnd.FAILED : AttemptEnd.RELEASED;
    }

    private @Nullable AttemptEnd byException(@Nullable Throwable thrown) {
        Throwable cause = thrown;
        for (int i = 0; cause != null && i < MAX_CAUSES && !exceptions.isEmpty(); i++) {
            for (Class<?> type = cause.getClass(); type != null; type = type.getSuperclass()) {
                AttemptEnd end = exceptions.get(type);
                if (end != null) {
                    return end;
                }
            }
            cause = cause.getCause();
        }
        return null;
    }
}
