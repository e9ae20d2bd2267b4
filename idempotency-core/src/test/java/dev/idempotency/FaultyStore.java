// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
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
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A store in front of a real one, whose steps can be counted, watched, and made to fail. */
final class FaultyStore implements IdempotencyStore {

    enum Fault {
        NONE,
        /** The step is not carried out. */
        SILENT,
        /** The step is carried out, but nobody hears of it. */
        REPLY_LOST,
        /** The store has a fault of its own. */
        BROKEN
    }

    private final IdempotencyStore real;
    private final Map<RecordKey, AtomicInteger> renewals = new ConcurrentHashMap<>();
    final AtomicInteger claims = new AtomicInteger();
    final AtomicInteger completions = new AtomicInteger();
    final AtomicInteger routeSteps = new AtomicInteger();
    volatile Fault onRoutes = Fault.NONE;
    volatile Runnable beforeReplace = () -> {};
    volatile Fault onClaim = Fault.NONE;
    volatile Fault onRenew = Fault.NONE;
    volatile Fault onComplete = Fault.NONE;
    volatile Consumer<RecordKey> beforeRenew = key -> {};
    volatile Runnable beforeComplete = () -> {};
    volatile Runnable afterComplete = () -> {};
    volatile @Nullable TransactionParticipant participant;
    volatile UnaryOperator<ClaimResult> claimed = result -> result;
    volatile UnaryOperator<List<RenewalResult>> renewed = results -> results;
    volatile Predicate<RecordKey> unanswered = key -> false;

    /** How many renewals came together, each time. */
    final Queue<Integer> batches = new ConcurrentLinkedQueue<>();

    FaultyStore(IdempotencyStore real) {
        this.real = real;
    }

    int renewals(RecordKey key) {
        return counter(key).get();
    }

    private AtomicInteger counter(RecordKey key) {
        return renewals.computeIfAbsent(key, any -> new AtomicInteger());
    }

    @Override
    public String name() {
        return "faulty";
    }

    @Override
    public ClaimResult claim(Claim claim) {
        claims.incrementAndGet();
        return claimed.apply(with(onClaim, () -> real.claim(claim)));
    }

    @Override
    public List<RenewalResult> renew(List<Renewal> renewals) {
        batches.add(renewals.size());
        renewals.forEach(renewal -> counter(renewal.key()).incrementAndGet());
        renewals.forEach(renewal -> beforeRenew.accept(renewal.key()));
        return with(
                onRenew, () -> renewed.apply(renewals.stream().map(this::renew).toList()));
    }

    private RenewalResult renew(Renewal renewal) {
        return unanswered.test(renewal.key())
                ? RenewalResult.UNANSWERED
                : real.renew(List.of(renewal)).get(0);
    }

    @Override
    public CompletionResult complete(RecordKey key, OwnerToken owner, Completion completion) {
        completions.incrementAndGet();
        beforeComplete.run();
        CompletionResult result = with(onComplete, () -> real.complete(key, owner, completion));
        afterComplete.run();
        return result;
    }

    @Override
    public ReleaseResult release(RecordKey key, long version) {
        return real.release(key, version);
    }

    @Override
    public RouteStates routeStates() {
        return new RouteStates() {
            @Override
            public Seen read() {
                routeSteps.incrementAndGet();
                return with(onRoutes, real.routeStates()::read);
            }

            @Override
            public boolean replace(String bizType, Payload seen, Payload next) {
                routeSteps.incrementAndGet();
                beforeReplace.run();
                return with(onRoutes, () -> real.routeStates().replace(bizType, seen, next));
            }
        };
    }

    @Override
    public @Nullable TransactionParticipant transactionParticipant() {
        return participant;
    }

    @Override
    public Lookup find(RecordKey key) {
        return real.find(key);
    }

    private static <R> R with(Fault fault, Supplier<R> step) {
        if (fault == Fault.SILENT) {
            throw new StoreUnavailableException("silent", null);
        }
        if (fault == Fault.BROKEN) {
            throw new IllegalStateException("broken");
        }
        R result = step.get();
        if (fault == Fault.REPLY_LOST) {
            throw new StoreUnavailableException("reply lost", null);
        }
        return result;
    }
}
