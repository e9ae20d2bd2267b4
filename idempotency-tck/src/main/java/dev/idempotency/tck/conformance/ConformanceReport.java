// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import dev.idempotency.tck.conformance.RowResult.Verdict;
import java.util.List;
import java.util.Locale;

/**
 * What a run of the kit saw.
 *
 * @param results in the order of the rows
 */
public record ConformanceReport(List<RowResult> results) {

    public ConformanceReport {
        results = List.copyOf(results);
    }

    /** The results with that verdict. */
    public List<RowResult> with(Verdict verdict) {
        return results.stream().filter(result -> result.verdict() == verdict).toList();
    }

    /** Whether no row failed. */
    public boolean passed() {
        return with(Verdict.FAILED).isEmpty();
    }

    /** The table for a person: row, verdict, name, and what was seen. */
    @Override
    public String toString() {
        StringBuilder table = new StringBuilder();
        for (RowResult result : results) {
            table.append(String.format(
                    Locale.ROOT,
                    "%-4s %-11s %-58s %s%n",
                    result.row().id(),
                    result.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    result.row().name(),
                    result.seen()));
        }
        return table.append(String.format(
                        Locale.ROOT,
                        "%d passed, %d failed, %d not offered%n",
                        with(Verdict.PASSED).size(),
                        with(Verdict.FAILED).size(),
                        with(Verdict.NOT_OFFERED).size()))
                .toString();
    }
}
