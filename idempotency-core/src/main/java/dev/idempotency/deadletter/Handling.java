// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import dev.idempotency.store.OwnerToken;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What operators have done with a dead letter.
 *
 * @param state where it stands
 * @param changedAt when that began, by the queue's clock
 * @param redrives how often a redrive was started
 * @param owner who started the latest redrive that has not been ended; {@code null} if there is none
 * @param leaseEnd when a running redrive counts as broken off; of meaning only while {@code REDRIVING}
 * @param operator who changed it last, at most {@value #MAX_OPERATOR} characters; empty if nobody has
 * @param note what the operator wrote, at most {@value #MAX_NOTE} characters; empty if nothing
 * @param outcome what the latest redrive ended in; {@code null} if none has ended
 */
public record Handling(
        DeadLetterState state,
        Instant changedAt,
        int redrives,
        @Nullable OwnerToken owner,
        @Nullable Instant leaseEnd,
        String operator,
        String note,
        @Nullable RedriveOutcome outcome) {

    /** Most characters of an operator's name. */
    public static final int MAX_OPERATOR = 200;

    /** Most characters of a note. */
    public static final int MAX_NOTE = 1_000;

    public Handling {
        requireOperator(operator);
        requireNote(note);
    }

    /**
     * Returns the name of an operator if it fits.
     *
     * @throws IllegalArgumentException if it has more than {@value #MAX_OPERATOR} characters
     */
    public static String requireOperator(String name) {
        return requireAtMost(MAX_OPERATOR, "an operator's name", name);
    }

    /**
     * Returns a note if it fits.
     *
     * @throws IllegalArgumentException if it has more than {@value #MAX_NOTE} characters
     */
    public static String requireNote(String note) {
        return requireAtMost(MAX_NOTE, "a note", note);
    }

    private static String requireAtMost(int limit, String what, String text) {
        if (text.length() > limit) {
            throw new IllegalArgumentException(what + " has at most " + limit + " characters, not " + text.length());
        }
        return text;
    }

    /** That of a letter which has just been parked. */
    static Handling none(Instant now) {
        return new Handling(DeadLetterState.OPEN, now, 0, null, null, "", "", null);
    }

    /** As it is to be seen at this instant: a redrive whose lease is over leaves the letter open. */
    Handling at(Instant now) {
        boolean brokenOff = state == DeadLetterState.REDRIVING && leaseEnd != null && !now.isBefore(leaseEnd);
        return brokenOff
                ? new Handling(DeadLetterState.OPEN, changedAt, redrives, owner, leaseEnd, operator, note, outcome)
                : this;
    }
}
