// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.policy;

/** What a repeat gets once the operation has succeeded. */
public enum OnCompleted {
    /** The first answer again, byte for byte. */
    REPLAY,

    /** A refusal that says so (over HTTP: 409 {@code already-processed}). */
    CONFLICT
}
