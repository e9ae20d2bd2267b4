// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.event.AttemptEnd;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an attempt ends in: kept and given again, failed and run again by the next repeat, or released as if it had
 * never been. A bean of this type has the last word after {@code replay-statuses} and the exceptions that properties name.
 *
 * <p>Called on the thread that ends the attempt, before its answer leaves; more than once for an attempt whose answer is an
 * error page. May be called from any thread. If it throws, the attempt ends as its policy says.
 */
@FunctionalInterface
public interface FailureClassifier {

    /** What the attempt ends in. */
    AttemptEnd classify(Attempt attempt);

    /**
     * An attempt whose handler is done.
     *
     * @param status of its answer; 500 if it threw and no error page has been written yet
     * @param thrown what it threw, also if an exception handler has made an answer of it; {@code null} if nothing
     * @param byPolicy what it would end in without this bean
     */
    record Attempt(String bizType, int status, @Nullable Throwable thrown, AttemptEnd byPolicy) {}
}
