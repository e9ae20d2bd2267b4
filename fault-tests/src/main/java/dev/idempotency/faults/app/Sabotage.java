// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.PreviousAttempt;
import java.time.Duration;

/** Faults that are planted into the store, to show that the checker finds them. */
enum Sabotage {
    NONE,

    /** Who finds the operation in progress gets it all the same. */
    CLAIMS_TWICE {
        @Override
        ClaimResult claimed(ClaimResult result) {
            return result instanceof ClaimResult.InProgress running
                    ? new ClaimResult.Claimed(
                            running.found().version() + 1, running.found().attempts() + 1, PreviousAttempt.NONE)
                    : result;
        }
    },

    /** Who has lost the claim is not told. */
    IGNORES_STALE_OWNERS {
        @Override
        CompletionResult completed(CompletionResult result) {
            return result instanceof CompletionResult.Stale ? new CompletionResult.Applied(1, Duration.ZERO) : result;
        }
    },

    /** Says that it has written what it has not. */
    LOSES_COMPLETIONS {
        @Override
        boolean writes() {
            return false;
        }
    };

    ClaimResult claimed(ClaimResult result) {
        return result;
    }

    CompletionResult completed(CompletionResult result) {
        return result;
    }

    boolean writes() {
        return true;
    }

    IdempotencyStore of(IdempotencyStore store) {
        return this == NONE ? store : new Broken(store);
    }

    private final class Broken implements IdempotencyStore {

        private final IdempotencyStore store;

        Broken(IdempotencyStore store) {
            this.store = store;
        }

        @Override
        public String name() {
            return store.name();
        }

        @Override
        public ClaimResult claim(Claim claim) {
            return claimed(store.claim(claim));
        }

        @Override
        public boolean renew(RecordKey key, OwnerToken owner, Duration lease, Duration ttl) {
            return store.renew(key, owner, lease, ttl);
        }

        @Override
        public CompletionResult complete(RecordKey key, OwnerToken owner, Completion completion) {
            return writes()
                    ? completed(store.complete(key, owner, completion))
                    : new CompletionResult.Applied(1, Duration.ZERO);
        }

        @Override
        public Lookup find(RecordKey key) {
            return store.find(key);
        }
    }
}
