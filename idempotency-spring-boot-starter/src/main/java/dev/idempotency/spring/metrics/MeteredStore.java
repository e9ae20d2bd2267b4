// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.metrics;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.ForwardingStore;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.ReleaseResult;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import dev.idempotency.store.RouteStates;
import dev.idempotency.store.StoreUnavailableException;
import dev.idempotency.store.TransactionParticipant;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Times every step of a store: {@code idempotency.store.operations}, by step, outcome and store. */
public final class MeteredStore extends ForwardingStore {

    private final MeterRegistry meters;

    public MeteredStore(IdempotencyStore store, MeterRegistry meters) {
        super(store);
        this.meters = meters;
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return timed("claim", () -> store.claim(claim));
    }

    @Override
    public List<RenewalResult> renew(List<Renewal> renewals) {
        return timed("renew", () -> store.renew(renewals));
    }

    @Override
    public CompletionResult complete(RecordKey key, OwnerToken owner, Completion completion) {
        return timed("complete", () -> store.complete(key, owner, completion));
    }

    @Override
    public ReleaseResult release(RecordKey key, long version) {
        return timed("release", () -> store.release(key, version));
    }

    @Override
    public Lookup find(RecordKey key) {
        return timed("find", () -> store.find(key));
    }

    @Override
    public @Nullable TransactionParticipant transactionParticipant() {
        TransactionParticipant participant = store.transactionParticipant();
        return participant == null ? null : new MeteredParticipant(participant);
    }

    private final class MeteredParticipant implements TransactionParticipant {

        private final TransactionParticipant participant;

        MeteredParticipant(TransactionParticipant participant) {
            this.participant = participant;
        }

        @Override
        public boolean isInTransaction() {
            return participant.isInTransaction();
        }

        @Override
        public CompletionResult complete(RecordKey key, OwnerToken owner, Completion.Success success) {
            return timed("complete", () -> participant.complete(key, owner, success));
        }
    }

    @Override
    public @Nullable RouteStates routeStates() {
        RouteStates states = store.routeStates();
        return states == null ? null : new MeteredStates(states);
    }

    private final class MeteredStates implements RouteStates {

        private final RouteStates states;

        MeteredStates(RouteStates states) {
            this.states = states;
        }

        @Override
        public Seen read() {
            return timed("read-routes", states::read);
        }

        @Override
        public boolean replace(String bizType, Payload seen, Payload next) {
            return timed("replace-route", () -> states.replace(bizType, seen, next));
        }
    }

    private <R> R timed(String step, Supplier<R> operation) {
        long start = System.nanoTime();
        String outcome = "failed";
        try {
            R result = operation.get();
            outcome = "answered";
            return result;
        } catch (StoreUnavailableException e) {
            outcome = "unavailable";
            throw e;
        } finally {
            Iterable<Tag> tags = Tags.of("operation", step, "outcome", outcome, "store", store.name());
            meters.timer("idempotency.store.operations", tags).record(Duration.ofNanos(System.nanoTime() - start));
        }
    }
}
