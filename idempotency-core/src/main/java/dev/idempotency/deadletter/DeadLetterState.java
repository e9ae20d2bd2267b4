// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

/** Where a dead letter stands. */
public enum DeadLetterState {
    /** It waits for a person. */
    OPEN,

    /** Its request is being sent again; open once more if that is not ended before its lease is over. */
    REDRIVING,

    /** Its request was sent again and has an outcome. */
    REDRIVEN,

    /** A person decided that nothing is to be done about it. */
    DISCARDED
}
