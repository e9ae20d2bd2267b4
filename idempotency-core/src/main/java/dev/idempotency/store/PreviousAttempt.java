// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

/** What the attempt before a new claim had ended in. */
public enum PreviousAttempt {
    /** There was none on record. */
    NONE,

    /** It failed. */
    FAILED,

    /** Its owner went silent, and the claim was taken over. */
    ORPHANED
}
