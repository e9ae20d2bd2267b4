// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

/**
 * What a record key may be made of, besides namespace, data centre, scope and bizType, which are always in it: nobody gets
 * an answer that belongs to somebody else.
 */
public enum KeyPart {
    /** The sender's idempotency key. */
    IDEMPOTENCY_KEY,

    /** The id in the business's own words. */
    BUSINESS_ID,

    /** The path of the resource. */
    PATH,

    /** The HTTP method. */
    METHOD
}
