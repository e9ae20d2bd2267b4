// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import dev.idempotency.key.RecordKey;

/**
 * What a store may do besides: wake those who wait for an owner on another instance. A signal may be lost, come late, or
 * come for nothing, so that whoever waits goes on asking the store, only less often. May be used from any thread.
 */
public interface EndSignals {

    /**
     * Asks to be told when a claim of the operation ends, which is noted for claims that were found in progress by one that
     * {@linkplain Claim#waits waits}.
     *
     * @param onEnd called from any thread, any number of times; must return quickly
     * @return ends the subscription when closed; never fails if the backend gives no answer
     */
    Subscription subscribe(RecordKey key, Runnable onEnd);

    /** A wish to be told. */
    interface Subscription extends AutoCloseable {

        @Override
        void close();
    }
}
