// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

/** What became of a {@link Renewal}. */
public enum RenewalResult {
    /** The claim holds for another lease. */
    RENEWED,

    /** The owner no longer held the claim; nothing was changed. */
    LOST,

    /** Nobody knows: its part of the backend gave no answer, or somebody else is at the record. Worth trying again. */
    UNANSWERED
}
