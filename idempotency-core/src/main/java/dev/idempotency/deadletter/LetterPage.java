// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some letters, the one parked last first.
 *
 * @param letters at most as many as were asked for; fewer only at the end
 * @param next where the next page begins, in the queue's own words; {@code null} if this is the last one
 */
public record LetterPage(
        List<DeadLetterSummary> letters, @Nullable String next) {

    /** Most letters of a page. */
    public static final int MAX_SIZE = 100;

    public LetterPage {
        letters = List.copyOf(letters);
    }

    /**
     * Returns the size if a page may have it.
     *
     * @throws IllegalArgumentException unless it is from 1 to {@value #MAX_SIZE}
     */
    public static int requireSize(int size) {
        if (size < 1 || size > MAX_SIZE) {
            throw new IllegalArgumentException("a page has from 1 to " + MAX_SIZE + " letters, not " + size);
        }
        return size;
    }
}
