// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.transaction;

import dev.idempotency.Execution;
import dev.idempotency.store.StoredResponse;
import org.jspecify.annotations.Nullable;

/** Ends an attempt alone; within somebody else's transaction, once that is over. */
record NoTransaction(Execution execution) implements BusinessTransaction {

    @Override
    public boolean complete(@Nullable StoredResponse answer) {
        SurroundingTransaction.whenOver(
                () -> {
                    if (answer == null) {
                        execution.completeWithoutAnswer();
                    } else {
                        execution.complete(answer);
                    }
                },
                () -> execution.fail(null, 0));
        return true;
    }

    @Override
    public void fail(@Nullable Throwable cause, int status) {
        execution.fail(cause, status);
    }

    @Override
    public void release() {
        execution.release();
    }

    @Override
    public void rollback() {}
}
