// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

/** What a fault does. */
public enum FaultKind {
    /** An application process is gone, without warning. */
    KILLED,

    /** An application process stands still. */
    PAUSED,

    /** It goes on. */
    RESUMED,

    /** Something between applications and store, or the store itself, stops working. */
    BROKEN,

    /** What was broken last has stopped working by now: whatever is on its way is hit. */
    STRUCK,

    /** It works again. */
    HEALED,

    /** From here on the store may have forgotten what it had acknowledged. */
    LOSING,

    /** From here on the store forgets no more. */
    LOST
}
