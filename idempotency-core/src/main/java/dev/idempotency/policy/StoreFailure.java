// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.policy;

/** What happens to a request when the store gives no answer. */
public enum StoreFailure {
    /** It is refused (over HTTP: 503 {@code store-unavailable}): rather late than twice. */
    CLOSED,

    /** It runs unprotected, counted and logged: rather twice than late. */
    OPEN
}
