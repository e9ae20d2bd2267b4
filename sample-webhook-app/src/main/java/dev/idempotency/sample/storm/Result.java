// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.storm;

/**
 * How an incident went.
 *
 * @param deliveries requests that reached a receiver
 * @param effects rows that they left in the database
 * @param duplicates effects beyond the one of each operation
 * @param replayed deliveries that got the first answer again
 * @param refused deliveries that got an answer other than 2xx
 */
record Result(
        String incident,
        boolean protection,
        int operations,
        int deliveries,
        long effects,
        long duplicates,
        int replayed,
        int refused) {

    /** Whether every operation had its effect, and no operation had it twice. */
    boolean exactlyOnce() {
        return duplicates == 0 && effects == operations;
    }
}
