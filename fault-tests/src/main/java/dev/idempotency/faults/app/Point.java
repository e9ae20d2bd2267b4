// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

/** Where a call can be held up while something is done to its process, its store or the connection between them. */
public enum Point {
    BEFORE_CLAIM,

    /** Only where effect and completion are one transaction, which has not begun. */
    AFTER_CLAIM,
    BEFORE_EFFECT,
    AFTER_EFFECT,
    BEFORE_COMPLETION,
    AFTER_COMPLETION,

    /** Only where effect and completion are one transaction. */
    BEFORE_COMMIT,

    /** Only where effect and completion are one transaction. */
    AFTER_COMMIT,
    BEFORE_RESPONSE
}
