// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.time.Duration;

/** Hears of the clean-up of expired records; called from its thread. */
public interface CleanupListener {

    /**
     * A run has ended.
     *
     * @param records how many records it has deleted
     */
    default void cleaned(long records, Duration duration) {}

    /** A run has ended early; the next one goes on where it stopped. */
    default void cleanupFailed(RuntimeException failure) {}
}
