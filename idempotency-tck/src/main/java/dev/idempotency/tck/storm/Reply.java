// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import java.util.Optional;

/** What the sender saw of the answer to an attempt. */
public sealed interface Reply {

    /**
     * The whole answer.
     *
     * @param replayed whether it is marked as an answer that was given before
     * @param retryAfter the {@code Retry-After} header
     * @param digest SHA-256, in hex, of status, {@code Content-Type}, {@code Location}, {@code ETag} and body: two answers
     *     with the same digest are the same answer
     * @param excerpt first characters of the body
     */
    record Answered(int status, boolean replayed, Optional<String> retryAfter, String digest, String excerpt)
            implements Reply {

        /** Whether the status is 2xx, which is all that senders look at. */
        public boolean success() {
            return status / 100 == 2;
        }
    }

    /**
     * None, as the sender hung up on purpose.
     *
     * @param begun whether the first byte of the answer had come
     */
    record Dropped(boolean begun) implements Reply {}

    /** None, for a reason that the sender did not choose: no connection, no answer in time, the server hung up. */
    record Missing(String reason) implements Reply {}
}
