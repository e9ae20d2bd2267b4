// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import dev.idempotency.key.RecordKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store in front of another that hands every step on as it is; what stands in front of a store overrides the steps that it
 * has a part in, and loses none of the others.
 */
public abstract class ForwardingStore implements IdempotencyStore {

    /** The store behind this one. */
    protected final IdempotencyStore store;

    protected ForwardingStore(IdempotencyStore store) {
        this.store = store;
    }

    @Override
    public String name() {
        return store.name();
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return store.claim(claim);
    }

    @Override
    public List<RenewalResult> renew(List<Renewal> renewals) {
        return store.renew(renewals);
    }

    @Override
    public CompletionResult complete(RecordKey key, OwnerToken owner, Completion completion) {
        return store.complete(key, owner, completion);
    }

    @Override
    public ReleaseResult release(RecordKey key, long version) {
        return store.release(key, version);
    }

    @Override
    public @Nullable EndSignals endSignals() {
        return store.endSignals();
    }

    @Override
    public @Nullable RouteStates routeStates() {
        return store.routeStates();
    }

    @Override
    public @Nullable TransactionParticipant transactionParticipant() {
        return store.transactionParticipant();
    }

    @Override
    public Lookup find(RecordKey key) {
        return store.find(key);
    }
}
