// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.transaction;

import dev.idempotency.Execution;
import dev.idempotency.store.StoredResponse;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt's effect and its record are committed by, or neither of them. Ends its execution exactly once. Belongs to
 * the thread that began it.
 */
public interface BusinessTransaction {

    /**
     * Commits the effect together with the answer.
     *
     * @param answer the answer, or {@code null} if it is too large to keep
     * @return whether the code's own answer may be given; {@code false} if the claim had been lost, so that everything was
     *     rolled back
     * @throws RuntimeException if it was not committed, such as when the code has marked it as rollback-only, or nobody
     *     knows: the code's answer must not be given
     */
    boolean complete(@Nullable StoredResponse answer);

    /** Rolls back, and ends the attempt as {@link Execution#fail} does. */
    void fail(@Nullable Throwable cause, int status);

    /** Rolls back, and ends the attempt as {@link Execution#release} does. */
    void release();

    /** Rolls back; the attempt is still to be ended, without an effect. */
    void rollback();

    /** No transaction: only the attempt is ended, whatever its effect. */
    static BusinessTransaction none(Execution execution) {
        return new NoTransaction(execution);
    }
}
