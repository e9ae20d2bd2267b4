// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

/**
 * What became of a row.
 *
 * @param seen statuses in their order, executions, and what was not as promised
 */
public record RowResult(ConformanceRow row, Verdict verdict, String seen) {

    /** Whether the promise is kept. */
    public enum Verdict {
        PASSED,
        FAILED,
        /** The server does not say that it has the feature that this row is about. */
        NOT_OFFERED
    }
}
