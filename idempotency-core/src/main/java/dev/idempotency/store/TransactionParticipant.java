// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import dev.idempotency.key.RecordKey;

/**
 * Ends claims as a part of the business transaction of the calling thread, so that a record says SUCCESS exactly when the
 * operation's effect is there. Everything else a store does stays outside of that transaction: claims are seen by others at
 * once.
 *
 * <p>May be used by any thread; each has its own transaction, which must use the same database as the store.
 */
public interface TransactionParticipant {

    /** Whether the calling thread has a transaction that {@link #complete} would be a part of. */
    boolean isInTransaction();

    /**
     * Ends a live claim when, and only when, the calling thread's transaction commits. From here until that transaction
     * has ended, every other step at the same record waits for it (within its own time-out), so that nobody can take the
     * claim over in between, even if its lease runs out.
     *
     * @return whether the end will be in the record; after {@link CompletionResult.Stale} the caller must roll its
     *     transaction back, as another attempt may have had the same effect
     * @throws IllegalStateException if the calling thread has no transaction that this store can be a part of
     * @throws StoreUnavailableException if the database gave no answer; the transaction must be rolled back
     */
    CompletionResult complete(RecordKey key, OwnerToken owner, Completion.Success success);
}
