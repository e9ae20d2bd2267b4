// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.problem;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A refusal.
 *
 * @param type what kind
 * @param status HTTP status: the type's own, unless the sender of a webhook wants another
 * @param detail what the sender may do about it; holds nothing of the request
 * @param retryAfter when to try again, if that makes sense
 * @param violatedPolicies names of the policies that refuse it because of what happened before, if that is why
 */
public record Problem(
        ProblemType type,
        int status,
        String detail,
        @Nullable Duration retryAfter,
        List<String> violatedPolicies) {

    public Problem {
        violatedPolicies = List.copyOf(violatedPolicies);
    }

    /** A refusal with the status of its type. */
    public Problem(ProblemType type, String detail, @Nullable Duration retryAfter) {
        this(type, type.status(), detail, retryAfter, List.of());
    }

    /** A refusal that trying again would not change. */
    public static Problem of(ProblemType type, String detail) {
        return new Problem(type, detail, null);
    }

    /** The same refusal with another status. */
    public Problem withStatus(int other) {
        return new Problem(type, other, detail, retryAfter, violatedPolicies);
    }

    /** The same refusal, because of that policy. */
    public Problem violating(String policy) {
        return new Problem(type, status, detail, retryAfter, List.of(policy));
    }

    /** Whole seconds of {@code retryAfter}, rounded up, at least 1; {@code null} if there is none. */
    public @Nullable Long retryAfterSeconds() {
        if (retryAfter == null) {
            return null;
        }
        long seconds = retryAfter.plusNanos(999_999_999).toSeconds();
        return Math.max(1, seconds);
    }
}
