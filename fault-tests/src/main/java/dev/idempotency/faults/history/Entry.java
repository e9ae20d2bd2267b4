// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

/**
 * An event and when it was heard of.
 *
 * @param micros microseconds since 1970 of the clock that the servers use, too
 */
public record Entry(long micros, Event event) {}
