// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

/** What a breaker refuses while it is open. */
public enum BreakerScope {
    /** One operation that failed too often. */
    OPERATION,

    /** Every operation of a bizType. */
    ROUTE
}
