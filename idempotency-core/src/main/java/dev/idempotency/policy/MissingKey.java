// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.policy;

/** What happens to a request that carries no idempotency key. */
public enum MissingKey {
    /** It is refused (over HTTP: 400 {@code key-missing}). */
    REJECT,

    /** It is identified by its business id alone; without one it is refused. */
    BUSINESS_ID,

    /** It runs unprotected and leaves no record. */
    BYPASS
}
