// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.storm;

import java.util.List;
import java.util.Locale;

/** The results as plain text. */
final class ResultTable {

    private ResultTable() {}

    static String of(List<Result> results) {
        StringBuilder table = new StringBuilder();
        table.append(row(
                "incident", "protection", "operations", "deliveries", "effects", "duplicates", "replayed", "refused"));
        for (Result result : results) {
            table.append(row(
                    result.incident(),
                    result.protection() ? "on" : "off",
                    result.operations(),
                    result.deliveries(),
                    result.effects(),
                    result.duplicates(),
                    result.replayed(),
                    result.refused()));
        }
        return table.toString();
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%-54s %10s %10s %10s %7s %10s %8s %7s%n", cells);
    }
}
