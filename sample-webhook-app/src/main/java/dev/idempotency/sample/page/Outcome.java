// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.page;

import dev.idempotency.event.Answer;
import org.jspecify.annotations.Nullable;

/** What became of a delivery. */
enum Outcome {
    EXECUTED,
    FAILED,
    REPLAYED,
    REFUSED,
    COOLED;

    /**
     * Tells them apart.
     *
     * @param answer what the library answered in place of the handler, if it did
     */
    static Outcome of(@Nullable Answer answer, int status) {
        if (answer == null) {
            return status >= 500 ? FAILED : status >= 400 ? REFUSED : EXECUTED;
        }
        return switch (answer) {
            case REPLAYED -> REPLAYED;
            case COOLING_DOWN -> COOLED;
            case ALREADY_PROCESSED, IN_PROGRESS, KEY_REUSED, OUTCOME_UNKNOWN, RESULT_UNAVAILABLE, STORE_UNAVAILABLE ->
                REFUSED;
        };
    }
}
