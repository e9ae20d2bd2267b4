// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

/** The one answer to an operator's wish to forget a record. */
public enum ReleaseResult {
    /** The record is gone: the next request runs as the first one. */
    RELEASED,

    /** The record has another version by now, or is a success, which stays; nothing was changed. */
    REFUSED,

    /** There is none, or it has expired. */
    ABSENT
}
