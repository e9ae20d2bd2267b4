// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import java.util.Locale;

/** Which rule suspended a bizType; {@link #code} is the word used in metrics, logs and endpoints. */
public enum SuspensionCause {
    /** Too many different operations failed. */
    FAILURES,

    /** Too great a share of the operations failed. */
    FAILURE_RATE,

    /** One operation was repeated too often without success. */
    REPEATS,

    /** It had been suspended before, and a trial failed. */
    TRIAL_FAILED;

    private final String code = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The name in lower case with hyphens, such as {@code failure-rate}. */
    public String code() {
        return code;
    }
}
