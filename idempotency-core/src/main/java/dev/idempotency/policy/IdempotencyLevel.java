// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.policy;

/** How much of a repeat must agree with the first request before it gets the first answer. */
public enum IdempotencyLevel {
    /**
     * Level 1: the record key decides alone. The fingerprint covers the operation's address (over HTTP: method and
     * path), so a repeat with other content is answered like the first.
     */
    BUSINESS_ID,

    /** Level 2, the default: the whole content must be the same; other content under the same key is refused. */
    FULL_REQUEST
}
