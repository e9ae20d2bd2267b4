// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.hygiene;

/** Why a key deserves no trust. */
public enum WeakKey {
    /** It is too short or too regular to be nobody else's. */
    LOW_ENTROPY("low-entropy", "must be a key that nobody else draws, such as a random UUID"),

    /** It is the time, so that everything of one minute or second shares a key. */
    CLOCK("clock", "must not be the time"),

    /** It came with several contents: the caller has one key for many requests. */
    REUSED("reused", "must be drawn anew for each operation");

    private final String code;
    private final String rule;

    WeakKey(String code, String rule) {
        this.code = code;
        this.rule = rule;
    }

    /** Its name in meters, such as {@code low-entropy}. */
    public String code() {
        return code;
    }

    /** What the key should be like, behind "The idempotency key". */
    String rule() {
        return rule;
    }
}
