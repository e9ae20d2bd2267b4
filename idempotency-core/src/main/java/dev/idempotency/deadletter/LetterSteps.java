// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import dev.idempotency.store.OwnerToken;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a letter's state as pure functions of the letter, the wish and the queue's time. Queues that can run Java
 * inside their atomic step call these functions; the others express the same in their own language.
 *
 * <pre>
 * OPEN ──startRedrive──> REDRIVING ──endRedrive──> REDRIVEN   if the outcome settles it
 *   │                        └──────────────────> OPEN       if it does not, or the lease is over
 *   └──discard──> DISCARDED
 * </pre>
 */
public final class LetterSteps {

    private LetterSteps() {}

    /** The step of {@link DeadLetterQueue#startRedrive}; {@link LetterChange.Changed} holds the letter to keep. */
    public static LetterChange startRedrive(
            @Nullable DeadLetterSummary current, OwnerToken owner, Duration lease, String operator, Instant now) {
        if (current == null) {
            return new LetterChange.Absent();
        }
        DeadLetterSummary seen = current.at(now);
        if (seen.state() == DeadLetterState.REDRIVING
                && owner.equals(seen.handling().owner())) {
            return new LetterChange.Changed(seen);
        }
        if (seen.state() != DeadLetterState.OPEN) {
            return new LetterChange.Refused(seen);
        }
        return new LetterChange.Changed(seen.with(new Handling(
                DeadLetterState.REDRIVING,
                now,
                seen.handling().redrives() + 1,
                owner,
                now.plus(lease),
                operator,
                seen.handling().note(),
                seen.handling().outcome())));
    }

    /** The step of {@link DeadLetterQueue#endRedrive}. */
    public static LetterChange endRedrive(
            @Nullable DeadLetterSummary current, OwnerToken owner, RedriveOutcome outcome, Instant now) {
        if (current == null) {
            return new LetterChange.Absent();
        }
        if (!owner.equals(current.handling().owner())) {
            return new LetterChange.Refused(current.at(now));
        }
        DeadLetterState state = outcome.result().settles() ? DeadLetterState.REDRIVEN : DeadLetterState.OPEN;
        return new LetterChange.Changed(current.with(new Handling(
                state,
                now,
                current.handling().redrives(),
                null,
                null,
                current.handling().operator(),
                current.handling().note(),
                outcome)));
    }

    /** The step of {@link DeadLetterQueue#discard}. */
    public static LetterChange discard(@Nullable DeadLetterSummary current, String operator, String note, Instant now) {
        if (current == null) {
            return new LetterChange.Absent();
        }
        DeadLetterSummary seen = current.at(now);
        if (seen.state() != DeadLetterState.OPEN) {
            return new LetterChange.Refused(seen);
        }
        return new LetterChange.Changed(seen.with(new Handling(
                DeadLetterState.DISCARDED,
                now,
                seen.handling().redrives(),
                null,
                null,
                operator,
                note,
                seen.handling().outcome())));
    }
}
