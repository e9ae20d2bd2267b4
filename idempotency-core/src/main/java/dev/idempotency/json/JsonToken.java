// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

/** One piece of a JSON text (RFC 8259). */
public enum JsonToken {
    START_OBJECT,
    END_OBJECT,
    START_ARRAY,
    END_ARRAY,
    /** A member's name. */
    NAME,
    STRING,
    NUMBER,
    TRUE,
    FALSE,
    NULL,
    /** There is nothing more; told again and again. */
    END
}
