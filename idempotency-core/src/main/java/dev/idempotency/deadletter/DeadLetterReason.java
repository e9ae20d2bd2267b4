// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

/** Why a request was parked. */
public enum DeadLetterReason {
    /** It failed so often that its operation is cooling down. */
    BREAKER_OPENED,

    /** Its failure was the one that suspended its whole bizType. */
    ROUTE_SUSPENDED,

    /** The last owner of its operation went silent, and {@code on-orphan: uncertain} leaves the decision to a person. */
    OUTCOME_UNKNOWN,

    /** It ended, but the store was away until its lease was over: repeats will run it again. */
    COMPLETION_LOST,

    /** It was completed by an owner that had lost its claim: its effect may have happened twice. */
    STALE_COMPLETION
}
