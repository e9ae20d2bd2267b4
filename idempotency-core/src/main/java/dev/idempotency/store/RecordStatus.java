// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

/** Where an operation stands. */
public enum RecordStatus {
    /** An owner is working on it, or went silent while doing so. */
    PENDING,

    /** It is done; final until the record expires. */
    SUCCESS,

    /** The last attempt failed; the next repeat runs again unless the operation is cooling down. */
    FAILED
}
