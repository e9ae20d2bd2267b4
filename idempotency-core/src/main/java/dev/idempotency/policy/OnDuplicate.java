// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.policy;

/** What a repeat gets while the first request is still running. */
public enum OnDuplicate {
    /** A refusal at once (over HTTP: 409 {@code in-progress} with {@code Retry-After}). */
    REJECT,

    /** The first one's answer, for which it waits up to the wait time-out; a refusal after that. */
    WAIT
}
