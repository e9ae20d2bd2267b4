// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.RecordStateMachine;
import dev.idempotency.store.RecordStateMachine.Step;
import dev.idempotency.store.ReleaseResult;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;

/** A sound store in memory, each of whose steps can be overridden to plant a fault. */
class SteppedStore implements IdempotencyStore {

    private final ManualClock clock;
    private final ConcurrentMap<RecordKey, IdempotencyRecord> records = new ConcurrentHashMap<>();
    private final AtomicLong forgottenVersion = new AtomicLong();

    SteppedStore(ManualClock clock) {
        this.clock = clock;
    }

    @Override
    public final String name() {
        return "stepped";
    }

    @Override
    public final ClaimResult claim(Claim claim) {
        return run(claim.key(), (current, now) -> claim(current, claim, now));
    }

    @Override
    public List<RenewalResult> renew(List<Renewal> renewals) {
        return renewals.stream().map(this::renew).toList();
    }

    final RenewalResult renew(Renewal renewal) {
        return run(renewal.key(), (current, now) -> renew(current, renewal, now));
    }

    @Override
    public final CompletionResult complete(RecordKey key, OwnerToken owner, Completion completion) {
        return run(key, (current, now) -> complete(current, owner, completion, now));
    }

    @Override
    public final ReleaseResult release(RecordKey key, long version) {
        return run(key, (current, now) -> release(current, version, now));
    }

    @Override
    public final Lookup find(RecordKey key) {
        return run(key, (current, now) -> new Step<>(current, find(current, now)));
    }

    Step<ClaimResult> claim(IdempotencyRecord current, Claim claim, Instant now) {
        return RecordStateMachine.claim(current, forgottenVersion(), claim, now);
    }

    Step<RenewalResult> renew(IdempotencyRecord current, Renewal renewal, Instant now) {
        return RecordStateMachine.renew(current, renewal, now);
    }

    Step<CompletionResult> complete(IdempotencyRecord current, OwnerToken owner, Completion completion, Instant now) {
        return RecordStateMachine.complete(current, owner, completion, now);
    }

    Step<ReleaseResult> release(IdempotencyRecord current, long version, Instant now) {
        return RecordStateMachine.release(current, version, now);
    }

    Lookup find(IdempotencyRecord current, Instant now) {
        return RecordStateMachine.find(current, now);
    }

    long forgottenVersion() {
        return forgottenVersion.get();
    }

    RecordKey address(RecordKey key) {
        return key;
    }

    <R> R run(RecordKey key, BiFunction<IdempotencyRecord, Instant, Step<R>> transition) {
        AtomicReference<R> result = new AtomicReference<>();
        records.compute(address(key), (k, current) -> {
            Step<R> step = transition.apply(current, clock.instant());
            result.set(step.result());
            if (step.next() == null && current != null) {
                forgottenVersion.accumulateAndGet(current.version(), Math::max);
            }
            return step.next();
        });
        return result.get();
    }

    /** The classical fault, with a pause as long as a network makes it. */
    final <R> R getThenSet(RecordKey key, BiFunction<IdempotencyRecord, Instant, Step<R>> transition) {
        IdempotencyRecord current = records.get(address(key));
        Step<R> step = transition.apply(current, clock.instant());
        LockSupport.parkNanos(1);
        if (step.next() == null) {
            records.remove(address(key));
        } else if (!step.next().equals(current)) {
            records.put(address(key), step.next());
        }
        return step.result();
    }
}
