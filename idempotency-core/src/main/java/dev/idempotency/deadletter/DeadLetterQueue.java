// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where requests are parked for a person. Bounded in number, bytes and time ({@link DeadLetterLimits}).
 *
 * <p>Every method is one atomic step in the backend, and may be called from any thread. Time is the backend's clock. A
 * letter's state changes as in {@link LetterSteps}; the published TCK ({@code idempotency-tck}) holds a queue to all of it.
 * Every method throws {@link StoreUnavailableException} if the backend gave no answer; the step may or may not have been
 * carried out then.
 *
 * <p>A letter's content is bytes that a queue passes on without looking into them; what is compared, filtered and changed is
 * kept in clear beside them.
 */
public interface DeadLetterQueue {

    /** Short name for logs, metrics and start-up messages, such as {@code memory} or {@code redis}. */
    String name();

    /**
     * Keeps the request as a letter; if one with its id is there, counts one more occurrence of that instead and leaves the
     * rest of it as it is.
     *
     * @throws IllegalArgumentException if its content alone has more bytes than the queue may keep
     */
    Parked park(ParkedRequest request);

    /**
     * Counts one more occurrence of a letter: {@link #park} for whoever has reason to think that it is there, and would
     * rather not make a copy of the request.
     *
     * @return whether there is such a letter; {@code false} changed nothing
     */
    boolean seenAgain(String id);

    /** The letter, or {@code null} if there is none. */
    @Nullable
    DeadLetter find(String id);

    /**
     * Some letters, the one parked last first. What is parked while pages are asked for moves nothing: every letter that
     * meets the filter throughout, and was there when the first page was asked for, is on exactly one page.
     *
     * @param start {@link LetterPage#next} of the page before; {@code null} for the first page
     * @param size most letters of the page, from 1 to {@link LetterPage#MAX_SIZE}
     * @throws IllegalArgumentException if {@code start} is none of this queue's, or the size is out of range
     */
    LetterPage list(LetterFilter filter, @Nullable String start, int size);

    /** How many letters there are of each state, with 0 where there is none. */
    Map<DeadLetterState, Long> counts();

    /**
     * Makes the caller the only one to redrive the letter, until its lease is over.
     *
     * @param owner the token that this redrive is to be known by; the same token again is the same redrive
     * @param lease how long until the redrive counts as broken off and the letter as open again; positive
     * @param operator who wishes it
     * @return {@link LetterChange.Refused} unless the letter is open, or the same owner's
     * @throws IllegalArgumentException if the operator's name is too long
     */
    LetterChange startRedrive(String id, OwnerToken owner, Duration lease, String operator);

    /**
     * Writes down what became of a redrive, even after its lease, unless somebody else has changed the letter since.
     *
     * @return {@link LetterChange.Refused} unless the owner's redrive is the latest thing that happened to the letter
     */
    LetterChange endRedrive(String id, OwnerToken owner, RedriveOutcome outcome);

    /**
     * Writes down that nothing is to be done about an open letter.
     *
     * @param operator who decided so
     * @param note why
     * @return {@link LetterChange.Refused} unless the letter is open
     * @throws IllegalArgumentException if the operator's name or the note is too long
     */
    LetterChange discard(String id, String operator, String note);

    /**
     * What parking did.
     *
     * @param isNew whether there was no letter with the id before
     * @param dropped ids of open letters that had to make room, which nobody will see any more
     */
    record Parked(boolean isNew, List<String> dropped) {

        public Parked {
            dropped = List.copyOf(dropped);
        }
    }
}
