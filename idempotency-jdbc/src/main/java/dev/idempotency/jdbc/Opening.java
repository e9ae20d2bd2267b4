// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

/** The first thing a claim learns from the database. */
sealed interface Opening {

    /** There was no record, or an expired one, and the claim has begun one of this version. */
    record Begun(long version) implements Opening {}

    /** Nothing was changed; this is what there is. */
    record Seen(Sight sight) implements Opening {}
}
