// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.memory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.RemovalCause;
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
import dev.idempotency.store.RouteStates;
import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Records in the heap of one process: for tests, for a single instance, and for a first try. They are neither shared
 * with other instances nor kept over a restart.
 *
 * <p>The heap it may use has a bound. Nothing is thrown out before its time to make room, as that would let an operation
 * run twice: once full, the store refuses new claims with {@link StoreUnavailableException} until records expire.
 */
public final class InMemoryIdempotencyStore implements IdempotencyStore {

    /** What a record needs beside its payload, rounded up from measurements on 64-bit JVMs. */
    private static final int RECORD_OVERHEAD_BYTES = 500;

    private static final int FAILURE_BYTES = 32;

    private final InstantSource clock;
    private final Instant start;
    private final long maxBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong forgottenVersion = new AtomicLong();
    private final Cache<RecordKey, IdempotencyRecord> records;
    private final InMemoryRouteStates routeStates;

    /**
     * A store on a monotonic clock.
     *
     * @param maxBytes most bytes of heap to use, approximately; positive
     */
    public InMemoryIdempotencyStore(long maxBytes) {
        this(maxBytes, new MonotonicClock());
    }

    /** A store on the given clock, which tests can move. */
    public InMemoryIdempotencyStore(long maxBytes, InstantSource clock) {
        if (maxBytes <= 0) {
            throw new IllegalArgumentException("maxBytes must be positive, but is " + maxBytes);
        }
        this.maxBytes = maxBytes;
        this.clock = clock;
        this.start = clock.instant();
        this.routeStates = new InMemoryRouteStates(clock);
        this.records = Caffeine.newBuilder()
                .ticker(() -> ticks(clock.instant()))
                .expireAfter(new UntilExpiry())
                .executor(Runnable::run)
                .evictionListener(this::evicted)
                .build();
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public ClaimResult claim(Claim claim) {
        if (usedBytes.get() + RECORD_OVERHEAD_BYTES + claim.payload().size() > maxBytes) {
            records.cleanUp();
        }
        return step(claim.key(), (current, now) -> {
            Step<ClaimResult> step = RecordStateMachine.claim(current, forgottenVersion.get(), claim, now);
            if (step.result() instanceof ClaimResult.Claimed) {
                requireRoom(size(step.next()) - size(current));
            }
            return step;
        });
    }

    @Override
    public List<RenewalResult> renew(List<Renewal> renewals) {
        return renewals.stream()
                .map(renewal -> step(renewal.key(), (current, now) -> RecordStateMachine.renew(current, renewal, now)))
                .toList();
    }

    @Override
    public CompletionResult complete(RecordKey key, OwnerToken owner, Completion completion) {
        return step(key, (current, now) -> RecordStateMachine.complete(current, owner, completion, now));
    }

    @Override
    public ReleaseResult release(RecordKey key, long version) {
        return step(key, (current, now) -> RecordStateMachine.release(current, version, now));
    }

    @Override
    public RouteStates routeStates() {
        return routeStates;
    }

    @Override
    public Lookup find(RecordKey key) {
        return RecordStateMachine.find(records.getIfPresent(key), now());
    }

    /** Approximate bytes of heap in use. */
    public long usedBytes() {
        records.cleanUp();
        return usedBytes.get();
    }

    private <R> R step(RecordKey key, BiFunction<@Nullable IdempotencyRecord, Instant, Step<R>> transition) {
        StepInCompute<R> inCompute = new StepInCompute<>(transition);
        records.asMap().compute(key, inCompute);
        return inCompute.result();
    }

    private Instant now() {
        return RecordStateMachine.truncate(clock.instant());
    }

    /** Time as the cache knows it: nanoseconds since the store was made. */
    private long ticks(Instant instant) {
        return Duration.between(start, instant).toNanos();
    }

    private void requireRoom(long bytes) {
        if (bytes > 0 && usedBytes.get() + bytes > maxBytes) {
            throw new StoreUnavailableException(
                    "the in-memory store is full: its records use " + usedBytes.get() + " of at most " + maxBytes
                            + " bytes, and none of them may be forgotten before it expires",
                    null);
        }
    }

    private void evicted(@Nullable RecordKey key, @Nullable IdempotencyRecord evicted, RemovalCause cause) {
        usedBytes.addAndGet(-size(evicted));
        forget(evicted);
    }

    private void forget(@Nullable IdempotencyRecord removed) {
        if (removed != null) {
            forgottenVersion.accumulateAndGet(removed.version(), Math::max);
        }
    }

    private static long size(@Nullable IdempotencyRecord sized) {
        return sized == null
                ? 0
                : RECORD_OVERHEAD_BYTES
                        + FAILURE_BYTES * sized.window().failures().size()
                        + sized.payload().size();
    }

    /** Runs a transition while the map holds the key still, and carries its result out. */
    private final class StepInCompute<R>
            implements BiFunction<RecordKey, @Nullable IdempotencyRecord, @Nullable IdempotencyRecord> {

        private final BiFunction<@Nullable IdempotencyRecord, Instant, Step<R>> transition;
        private @Nullable Step<R> done;

        StepInCompute(BiFunction<@Nullable IdempotencyRecord, Instant, Step<R>> transition) {
            this.transition = transition;
        }

        @Override
        public @Nullable IdempotencyRecord apply(RecordKey key, @Nullable IdempotencyRecord current) {
            done = transition.apply(current, now());
            usedBytes.addAndGet(size(done.next()) - size(current));
            if (done.next() == null) {
                forget(current);
            }
            return done.next();
        }

        R result() {
            if (done == null) {
                throw new IllegalStateException("the step was not run");
            }
            return done.result();
        }
    }

    private final class UntilExpiry implements Expiry<RecordKey, IdempotencyRecord> {

        @Override
        public long expireAfterCreate(RecordKey key, IdempotencyRecord created, long currentTime) {
            return ticks(created.expiresAt()) - currentTime;
        }

        @Override
        public long expireAfterUpdate(
                RecordKey key, IdempotencyRecord updated, long currentTime, long currentDuration) {
            return expireAfterCreate(key, updated, currentTime);
        }

        @Override
        public long expireAfterRead(RecordKey key, IdempotencyRecord read, long currentTime, long currentDuration) {
            return currentDuration;
        }
    }
}
