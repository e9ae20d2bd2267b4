// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Makes the message of a failed assertion. */
final class StormFailure {

    private static final int SHOWN = 5;

    private StormFailure() {}

    static AssertionError of(StormReport report, String fault, Predicate<DeliveryReport> suspect) {
        String examples = report.deliveries().stream()
                .filter(suspect)
                .limit(SHOWN)
                .map(delivery -> "\n  " + delivery)
                .collect(Collectors.joining());
        long all = report.deliveries().stream().filter(suspect).count();
        String more = all > SHOWN ? "\n  ... " + (all - SHOWN) + " more" : "";
        return new AssertionError(
                fault + examples + more + "\n" + report + "The same chance again: seed(" + report.seed() + "L)");
    }
}
