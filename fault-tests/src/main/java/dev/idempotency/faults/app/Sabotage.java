// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.PreviousAttempt;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A fault that a call asks for between the library and its store, to show that the checker finds it. */
public enum Sabotage {
    NONE,

    /** Who finds the operation in progress gets it all the same. */
    CLAIMS_TWICE {
        @Override
        @Nullable
        Object claimed(@Nullable Object result) {
            return result instanceof ClaimResult.InProgress running
                    ? new ClaimResult.Claimed(
                            running.found().version() + 1, running.found().attempts() + 1, PreviousAttempt.NONE)
                    : result;
        }
    },

    /** Who has lost the claim is not told. */
    IGNORES_STALE_OWNERS {
        @Override
        @Nullable
        Object completed(@Nullable Object result) {
            return result instanceof CompletionResult.Stale ? APPLIED : result;
        }
    },

    /** Says that it has written what it has not. */
    LOSES_COMPLETIONS {
        @Override
        boolean writes() {
            return false;
        }
    };

    static final CompletionResult APPLIED = new CompletionResult.Applied(1, Duration.ZERO);

    /** What the call that this thread works on asks for. */
    static Sabotage current() {
        CurrentCall call = CurrentCall.get();
        return call == null || call.sabotage().isEmpty() ? NONE : valueOf(call.sabotage());
    }

    @Nullable
    Object claimed(@Nullable Object result) {
        return result;
    }

    @Nullable
    Object completed(@Nullable Object result) {
        return result;
    }

    boolean writes() {
        return true;
    }
}
