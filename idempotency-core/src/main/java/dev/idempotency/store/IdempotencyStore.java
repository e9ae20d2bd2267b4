// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import dev.idempotency.key.RecordKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, per record key, who is running an operation and what it answered.
 *
 * <p>Every method is one atomic step in the backend, never waits for another caller, and may be called from any
 * thread. Waiting, retrying, metrics, encryption and caching belong to the layers above; a store only tells the truth.
 * Time is the backend's clock. The transitions are those of {@link RecordStateMachine}; the published TCK
 * ({@code idempotency-tck}) holds a store to them.
 *
 * <p>An owner whose lease ran out has lost its claim: {@link #renew} and {@link #complete} then change nothing and say
 * so, even if nobody has claimed the key since.
 */
public interface IdempotencyStore {

    /** Most claims that are renewed at once. */
    int MAX_RENEWALS = 1_000;

    /** Short name for logs, metrics and start-up messages, such as {@code memory} or {@code redis}. */
    String name();

    /**
     * Becomes the owner of an operation, or learns why not. Look-up, decision and claim are one step.
     *
     * @return who owns the operation and what is known of it; only {@link ClaimResult.Claimed} changed anything
     * @throws StoreUnavailableException if the backend gave no answer; the claim may or may not have been made
     */
    ClaimResult claim(Claim claim);

    /**
     * Lets live claims hold for another lease from now, and their records for another ttl. The versions stay. Each renewal is an
     * atomic step of its own, and one that is held up keeps none of the others waiting; all of them together need not be atomic.
     *
     * @param renewals claims of different operations, at most {@value #MAX_RENEWALS}
     * @return what became of each, in the same order
     * @throws StoreUnavailableException if the backend gave no answer; each lease may or may not have been renewed
     */
    List<RenewalResult> renew(List<Renewal> renewals);

    /**
     * Ends a live claim.
     *
     * @return whether the end is in the record; {@link CompletionResult.Stale} changed nothing
     * @throws StoreUnavailableException if the backend gave no answer; the end may or may not have been written
     */
    CompletionResult complete(RecordKey key, OwnerToken owner, Completion completion);

    /**
     * Forgets a record that is not a success, if it still has this version: an operator's way out of a claim that is stuck
     * or of a cool-down. A live owner loses its claim by that, so that its end will be stale.
     *
     * @param version the record's version as the operator has seen it, so that no newer claim is ever removed
     * @return whether it is gone
     * @throws StoreUnavailableException if the backend gave no answer; the record may or may not be gone
     */
    ReleaseResult release(RecordKey key, long version);

    /** Wakes those who wait for owners on other instances; {@code null} if this store cannot. */
    default @Nullable EndSignals endSignals() {
        return null;
    }

    /** How routes stand, for all instances; {@code null} if this store cannot share it. */
    default @Nullable RouteStates routeStates() {
        return null;
    }

    /** Ends claims within the caller's own transaction; {@code null} if this store cannot. */
    default @Nullable TransactionParticipant transactionParticipant() {
        return null;
    }

    /**
     * Looks a record up without changing it.
     *
     * @throws StoreUnavailableException if the backend gave no answer
     */
    Lookup find(RecordKey key);
}
