// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.store.IdempotencyRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record as the database showed it, expired or not, and the database's time then.
 *
 * @param current the record; {@code null} if there is none, or one that cannot be read
 * @param readable whether there is no row that cannot be read
 */
record Sight(@Nullable IdempotencyRecord current, boolean readable, Instant now) {

    /** No row, at a time of no meaning. */
    static final Sight NOTHING = new Sight(null, true, Instant.EPOCH);
}
