// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

/** Where effects happen; out of the library's reach. */
interface EffectLog {

    /**
     * Makes the effect happen.
     *
     * @param attempt the library's number of the attempt, 0 if it runs unprotected
     * @param version its fencing number, 0 if it runs unprotected
     * @return the effect's id
     */
    long append(String operation, int attempt, long version);
}
