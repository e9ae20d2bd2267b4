// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the checker found.
 *
 * @param operations how many operations there were
 * @param calls how many requests were sent for them
 * @param hit how many of those were hit by a fault: their claim was granted before it began, and they ended after it had struck
 * @param effects how many effects they had
 * @param duplicates how many of those were not the first of their operation
 * @param detected how many of the duplicates are explained by what was reported or lost, by explanation
 * @param violations what should not have been
 */
public record Verdict(
        int operations,
        int calls,
        int hit,
        int effects,
        int duplicates,
        Map<String, Integer> detected,
        List<Violation> violations) {

    /** Of no history at all. */
    public static final Verdict NOTHING = new Verdict(0, 0, 0, 0, 0, Map.of(), List.of());

    /** What was found in both. */
    public Verdict plus(Verdict other) {
        Map<String, Integer> explained = new TreeMap<>(detected);
        other.detected.forEach((explanation, count) -> explained.merge(explanation, count, Integer::sum));
        return new Verdict(
                operations + other.operations,
                calls + other.calls,
                hit + other.hit,
                effects + other.effects,
                duplicates + other.duplicates,
                explained,
                Stream.concat(violations.stream(), other.violations.stream()).toList());
    }

    /** Rules that were broken, each once. */
    public List<String> brokenRules() {
        return violations.stream().map(Violation::rule).distinct().toList();
    }
}
