// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import dev.idempotency.key.RecordKey;
import java.nio.ByteBuffer;

/**
 * A failed attempt, as the breaker of its bizType counts it.
 *
 * @param key the operation
 * @param version of its record since then
 * @param attempts how often the operation has been tried, this time included
 * @param trial id of the trial that it was, 0 if it was none
 */
public record RouteFailure(RecordKey key, long version, int attempts, long trial) {

    /** What tells the operation from others within a window. */
    long operation() {
        return ByteBuffer.wrap(key.toBytes()).getLong();
    }

    /** How often the operation has been repeated. */
    int repeats() {
        return attempts - 1;
    }
}
