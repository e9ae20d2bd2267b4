// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import java.util.List;
import java.util.Map;

/**
 * What the checker found.
 *
 * @param operations how many operations there were
 * @param calls how many requests were sent for them
 * @param effects how many effects they had
 * @param duplicates how many of those were not the first of their operation
 * @param detected how many of the duplicates are explained by what was reported or lost, by explanation
 * @param violations what should not have been
 */
public record Verdict(
        int operations,
        int calls,
        int effects,
        int duplicates,
        Map<String, Integer> detected,
        List<Violation> violations) {

    /** Rules that were broken, each once. */
    public List<String> brokenRules() {
        return violations.stream().map(Violation::rule).distinct().toList();
    }
}
