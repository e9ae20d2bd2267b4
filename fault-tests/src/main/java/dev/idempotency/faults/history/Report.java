// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

/** What the library tells of that is out of the ordinary. */
public enum Report {
    /** The attempt took over from an owner that had gone silent. */
    ORPHAN,

    /** The attempt ended after another had taken over. */
    STALE_COMPLETION,
    LEASE_LOST,
    COMPLETION_DELAYED,
    COMPLETION_LOST,
    RAN_UNPROTECTED,

    /** A dead letter: the outcome of an orphan is left to a person. */
    LETTER_OUTCOME_UNKNOWN,

    /** A dead letter: a completion was stale. */
    LETTER_STALE_COMPLETION,

    /** A dead letter: a completion was never written. */
    LETTER_COMPLETION_LOST,

    /** A dead letter: the operation cools down. */
    LETTER_BREAKER_OPENED
}
