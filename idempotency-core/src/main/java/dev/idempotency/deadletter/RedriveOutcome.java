// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

/**
 * What became of a redrive.
 *
 * @param result which way it ended
 * @param status the access layer's status code of the answer, 0 if none came
 */
public record RedriveOutcome(Result result, int status) {

    /** Ways for a redrive to end; each either settles the letter or leaves it open. */
    public enum Result {
        /** The operation ran, and the answer is its own, good or bad. */
        RAN(true),

        /** It ran or is running; its answer did not come in time. The record tells what became of it. */
        NO_ANSWER(true),

        /** The operation had been done already and its answer was given again. */
        REPLAYED(true),

        /** The operation had been done already, and the policy refuses repeats. */
        ALREADY_PROCESSED(true),

        /** The operation had been done already; its answer cannot be given again. */
        RESULT_UNAVAILABLE(true),

        /** Another call was running the operation; nothing was run. */
        IN_PROGRESS(false),

        /** The key has been used with other content since; nothing was run. */
        KEY_REUSED(false),

        /** The operation is cooling down for another reason than this letter's; nothing was run. */
        COOLING_DOWN(false),

        /** A later attempt than this letter's broke off with an unknown outcome; nothing was run. */
        OUTCOME_UNKNOWN(false),

        /** The store gave no answer; nothing was run. */
        STORE_UNAVAILABLE(false),

        /** The request would not be the same operation, or not have the same content, any more; nothing was run. */
        NOT_THE_SAME(false),

        /** The application answered before the request came to its endpoint; nothing was run. */
        NOT_REACHED(false),

        /** The request could not be sent; nothing was run. */
        NOT_SENT(false);

        private final boolean settles;

        Result(boolean settles) {
            this.settles = settles;
        }

        /** Whether the letter is done with; otherwise it is open again. */
        public boolean settles() {
            return settles;
        }
    }
}
