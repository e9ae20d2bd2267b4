// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.hygiene;

/** What becomes of keys that deserve no trust. */
public enum WeakKeys {
    /** They are told of, and work. */
    REPORT,

    /** They are told of, and answered 400; for tests, so that no such key gets into production. */
    REJECT,

    /** Nobody looks. */
    IGNORE
}
