// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

/** The one answer to a wish to change a letter. */
public sealed interface LetterChange {

    /** It is changed, and this is how it stands now. */
    record Changed(DeadLetterSummary letter) implements LetterChange {}

    /** Its state, or another operator, forbids the change; nothing was changed. */
    record Refused(DeadLetterSummary letter) implements LetterChange {}

    /** There is no such letter. */
    record Absent() implements LetterChange {}
}
