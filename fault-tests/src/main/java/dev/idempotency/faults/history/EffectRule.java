// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import java.util.List;

/** An operation has one effect, or every further one is explained by what the library reports or the store forgot. */
final class EffectRule implements Rule {

    @Override
    public List<Violation> violations(Timeline timeline, Promise promise) {
        return Effects.of(timeline).further().stream()
                .filter(further -> promise.exactlyOnce() || further.explanation() == null)
                .map(further -> new Violation(
                        promise.exactlyOnce() ? "one effect" : "one effect, or a report of the second",
                        further.effect().operation(),
                        further.effect() + " came on top, explanation: " + further.explanation()))
                .toList();
    }
}
