// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.memory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.ForwardingStore;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.IdempotencyStore;
import java.time.Duration;

/**
 * A store in front of another that remembers finished records which repeats have asked for, so that further repeats on
 * this instance ask nobody. Only a success is ever remembered, as it does not change, and never for longer than the other
 * store would answer with it. The bytes used have a bound; whatever has to make room is asked for again.
 */
public final class LocallyCachedStore extends ForwardingStore {

    /** What an entry needs beside its payload, rounded up. */
    private static final int ENTRY_OVERHEAD_BYTES = 600;

    private final Ticker ticker;
    private final Cache<RecordKey, Finished> finished;

    private record Finished(IdempotencyRecord found, long expiresNanos) {}

    /**
     * A cache in front of a store.
     *
     * @param maxBytes most bytes of heap to use, approximately; positive
     */
    public LocallyCachedStore(IdempotencyStore store, long maxBytes) {
        this(store, maxBytes, Ticker.systemTicker());
    }

    /** A cache whose time tests can move. */
    LocallyCachedStore(IdempotencyStore store, long maxBytes, Ticker ticker) {
        super(store);
        if (maxBytes <= 0) {
            throw new IllegalArgumentException("maxBytes must be positive, but is " + maxBytes);
        }
        this.ticker = ticker;
        this.finished = Caffeine.newBuilder()
                .ticker(ticker)
                .maximumWeight(maxBytes)
                .weigher((RecordKey key, Finished entry) ->
                        ENTRY_OVERHEAD_BYTES + entry.found().payload().size())
                .expireAfter(Expiry.creating((RecordKey key, Finished entry) ->
                        Duration.ofNanos(Math.max(0, entry.expiresNanos() - ticker.read()))))
                .executor(Runnable::run)
                .build();
    }

    @Override
    public ClaimResult claim(Claim claim) {
        Finished known = finished.getIfPresent(claim.key());
        if (known != null) {
            long remaining = known.expiresNanos() - ticker.read();
            if (remaining > 0) {
                return known.found().fingerprint().contradicts(claim.fingerprint())
                        ? new ClaimResult.KeyReused(known.found())
                        : new ClaimResult.Completed(known.found(), Duration.ofNanos(remaining));
            }
        }
        // Counted from before the question, so that this clock is never later than the store's.
        long askedNanos = ticker.read();
        ClaimResult result = store.claim(claim);
        if (result instanceof ClaimResult.Completed completed) {
            finished.put(
                    claim.key(),
                    new Finished(
                            completed.found(),
                            askedNanos + completed.remaining().toNanos()));
        }
        return result;
    }
}
