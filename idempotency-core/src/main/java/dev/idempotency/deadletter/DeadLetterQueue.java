// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import java.util.List;

/** Where requests are parked for a person. May be called from any thread. */
public interface DeadLetterQueue {

    /**
     * Keeps the letter; if one with its id is there, counts one more occurrence of that instead. Whatever it throws does
     * not change what the caller of the operation is told; it is logged with the letter's id.
     */
    void park(DeadLetter letter);

    /** The letters, the one parked last first; another occurrence does not move a letter. */
    List<DeadLetter> letters();
}
