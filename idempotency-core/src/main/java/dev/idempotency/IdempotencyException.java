// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.breaker.BreakerScope;
import dev.idempotency.store.StoreUnavailableException;
import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A protected call was refused: it did not run now. Over HTTP a refusal is a problem response; to the caller of a protected
 * method it is one of these. Messages tell nothing of a key's text.
 */
public abstract sealed class IdempotencyException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final @Nullable Duration retryAfter;

    private IdempotencyException(String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.retryAfter = retryAfter;
    }

    /** When to call again, a positive time from now; empty if calling again will not help by itself. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /**
     * The exception for a decision that is a refusal.
     *
     * @param operation what was called, as the message is to name it; no text of the caller's key
     * @throws IllegalArgumentException if the decision is to run or to replay
     */
    public static IdempotencyException of(Decision decision, String operation) {
        if (decision instanceof Decision.InProgress inProgress) {
            return new InProgress(operation, inProgress.retryAfter());
        }
        if (decision instanceof Decision.KeyReused) {
            return new KeyReused(operation);
        }
        if (decision instanceof Decision.CoolingDown cooling) {
            return new CoolingDown(operation, cooling);
        }
        if (decision instanceof Decision.OutcomeUnknown) {
            return new OutcomeUnknown(operation);
        }
        if (decision instanceof Decision.AlreadyProcessed) {
            return new AlreadyProcessed(operation);
        }
        if (decision instanceof Decision.ResultUnavailable) {
            return new ResultUnavailable(operation, null);
        }
        if (decision instanceof Decision.StoreUnavailable unavailable) {
            return new StoreUnavailable(operation, unavailable.cause());
        }
        throw new IllegalArgumentException(decision + " is no refusal");
    }

    /** Another call is running the operation. */
    public static final class InProgress extends IdempotencyException {

        @Serial
        private static final long serialVersionUID = 1L;

        InProgress(String operation, Duration retryAfter) {
            super(operation + " is still being processed; call it again later", retryAfter, null);
        }
    }

    /** The operation was started with other content. */
    public static final class KeyReused extends IdempotencyException {

        @Serial
        private static final long serialVersionUID = 1L;

        KeyReused(String operation) {
            super(operation + " was called with other content under the same key", null, null);
        }
    }

    /** The operation, or operations like it, failed too often. */
    public static final class CoolingDown extends IdempotencyException {

        @Serial
        private static final long serialVersionUID = 1L;

        private final BreakerScope scope;

        CoolingDown(String operation, Decision.CoolingDown decision) {
            super(
                    operation
                            + (decision.scope() == BreakerScope.OPERATION
                                    ? " failed repeatedly and cools down"
                                    : " is suspended, as calls like it failed"),
                    decision.retryAfter(),
                    null);
            this.scope = decision.scope();
        }

        /** What failed too often. */
        public BreakerScope scope() {
            return scope;
        }
    }

    /** An earlier call went silent; nobody knows whether it had its effect. */
    public static final class OutcomeUnknown extends IdempotencyException {

        @Serial
        private static final long serialVersionUID = 1L;

        OutcomeUnknown(String operation) {
            super(operation + " broke off earlier with an unknown outcome and is not run again by itself", null, null);
        }
    }

    /** The operation is done, and its policy refuses repeats instead of replaying. */
    public static final class AlreadyProcessed extends IdempotencyException {

        @Serial
        private static final long serialVersionUID = 1L;

        AlreadyProcessed(String operation) {
            super(operation + " was processed before; nothing was done now", null, null);
        }
    }

    /** The operation was done, but its result cannot be given again. */
    public static final class ResultUnavailable extends IdempotencyException {

        @Serial
        private static final long serialVersionUID = 1L;

        /**
         * A refusal.
         *
         * @param operation what was called, as the message is to name it
         * @param cause why the stored result cannot be read, if there is one
         */
        public ResultUnavailable(String operation, @Nullable Throwable cause) {
            super(operation + " was processed before, but its result cannot be given again", null, cause);
        }
    }

    /** The call carries no key, or a part of its key is missing. */
    public static final class KeyMissing extends IdempotencyException {

        @Serial
        private static final long serialVersionUID = 1L;

        public KeyMissing(String operation) {
            super(operation + " was called without a key, or with one of which a part is null or empty", null, null);
        }
    }

    /** The store gave no answer, and the policy is closed. */
    public static final class StoreUnavailable extends IdempotencyException {

        @Serial
        private static final long serialVersionUID = 1L;

        private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

        StoreUnavailable(String operation, StoreUnavailableException cause) {
            super(operation + " did not run, as it cannot be told from a repeat now", RETRY_AFTER, cause);
        }
    }
}
