// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which letters to list; {@code null} leaves a field out of account.
 *
 * @param state where they stand
 * @param reason why they were parked
 * @param bizType of their operation
 * @param from earliest time at which they were parked first
 * @param to time before which they were parked first
 */
public record LetterFilter(
        @Nullable DeadLetterState state,
        @Nullable DeadLetterReason reason,
        @Nullable String bizType,
        @Nullable Instant from,
        @Nullable Instant to) {

    /** All letters. */
    public static final LetterFilter ALL = new LetterFilter(null, null, null, null, null);

    /** The letters that stand there. */
    public static LetterFilter in(DeadLetterState state) {
        return new LetterFilter(state, null, null, null, null);
    }

    /** Whether a letter, as it is to be seen now, is one of them. */
    public boolean accepts(DeadLetterSummary letter) {
        return (state == null || state == letter.state())
                && (reason == null || reason == letter.reason())
                && (bizType == null || bizType.equals(letter.key().bizType()))
                && (from == null || !letter.firstSeen().isBefore(from))
                && (to == null || letter.firstSeen().isBefore(to));
    }
}
