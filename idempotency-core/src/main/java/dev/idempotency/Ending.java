// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

/** What became of the end that an owner reported. */
public enum Ending {
    /** It is in the record. */
    RECORDED,

    /** The claim had been lost before: the record tells of another attempt, or of none. */
    STALE,

    /** The store gave no answer; it is asked again in the background until the lease is over. */
    DELAYED
}
