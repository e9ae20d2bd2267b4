// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

/** What a store knows of a record key. */
public sealed interface Lookup {

    /** There is a record. */
    record Found(IdempotencyRecord found) implements Lookup {}

    /** There is none, or it has expired. */
    record Absent() implements Lookup {}

    /** There is one, damaged or of an unknown format. */
    record Unreadable() implements Lookup {}
}
