// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.policy;

/** What a repeat may do with an orphan: a claim whose lease is over although its owner reported no end. */
public enum OnOrphan {
    /** Claim it and run again. Right for operations whose effect can be repeated or checked. */
    TAKE_OVER,

    /**
     * Leave it: nobody knows whether the effect happened, so a person decides. Repeats are refused (over HTTP: 409
     * {@code outcome-unknown}) until the record expires, and the request is parked as a dead letter.
     */
    UNCERTAIN
}
