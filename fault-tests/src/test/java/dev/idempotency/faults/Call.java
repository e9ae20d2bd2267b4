// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.history.Event.Answered;
import java.util.concurrent.CompletableFuture;

/**
 * A request on its way.
 *
 * @param end the answer, or null in it if there was none
 */
record Call(String operation, long number, CompletableFuture<Answered> end) {

    boolean isOver() {
        return end.isDone();
    }

    /** Whether its sender need not send it again. */
    boolean isDone() {
        Answered answer = end.getNow(null);
        return answer != null && (answer.isSuccess() || answer.problem().equals("outcome-unknown"));
    }
}
