// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.event;

import java.util.Locale;

/** How a call was answered without running; {@link #code} is the word used in problems, metrics and logs. */
public enum Answer {
    REPLAYED,
    ALREADY_PROCESSED,
    IN_PROGRESS,
    KEY_REUSED,
    COOLING_DOWN,
    OUTCOME_UNKNOWN,
    RESULT_UNAVAILABLE,
    STORE_UNAVAILABLE;

    private final String code = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The name in lower case with hyphens, such as {@code in-progress}. */
    public String code() {
        return code;
    }
}
