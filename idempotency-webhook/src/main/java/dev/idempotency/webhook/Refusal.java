// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

/** Why a delivery could not be verified; for the receiver's meters and logs, never for whoever sent it. */
public enum Refusal {
    /** There is no signature header. */
    SIGNATURE_MISSING,

    /** No signature in the header is of a version that the scheme knows, and readable. */
    SIGNATURE_UNKNOWN,

    /** No signature matches any secret. */
    SIGNATURE_WRONG,

    /** The id that is signed is missing. */
    ID_MISSING,

    /** The id that is signed is repeated, empty, or holds what would make the signed bytes ambiguous. */
    ID_INVALID,

    /** The time stamp that is signed is missing. */
    TIMESTAMP_MISSING,

    /** The time stamp that is signed is repeated or no number. */
    TIMESTAMP_INVALID,

    /** The delivery was signed longer ago than is tolerated. */
    TIMESTAMP_TOO_OLD,

    /** The delivery was signed further in the future than is tolerated. */
    TIMESTAMP_TOO_NEW
}
