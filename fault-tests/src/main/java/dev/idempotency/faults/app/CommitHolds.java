// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/** Holds calls up on both sides of the commit of their effect. */
final class CommitHolds implements TransactionExecutionListener {

    private final Holds holds;

    CommitHolds(Holds holds) {
        this.holds = holds;
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        holds.at(Point.BEFORE_COMMIT);
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        holds.at(Point.AFTER_COMMIT);
    }
}
