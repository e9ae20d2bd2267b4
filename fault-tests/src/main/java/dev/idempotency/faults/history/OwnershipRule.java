// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import dev.idempotency.faults.history.Event.Claimed;
import dev.idempotency.faults.history.Event.Completed;
import dev.idempotency.faults.history.Event.End;
import dev.idempotency.faults.history.Event.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A claim holds until its owner ends it or its lease is over, and what has succeeded is not claimed again. All of it by the
 * store's clock, which fencing numbers are taken from.
 */
final class OwnershipRule implements Rule {

    private static final String NAME = "one owner at a time";

    @Override
    public List<Violation> violations(Timeline timeline, Promise promise) {
        List<Violation> violations = new ArrayList<>();
        for (String operation : timeline.operations()) {
            List<Claimed> claims = timeline.of(operation, Claimed.class).stream()
                    .map(Timeline.At::event)
                    .sorted(Comparator.comparingLong(Claimed::version))
                    .toList();
            for (int i = 1; i < claims.size(); i++) {
                String fault = fault(timeline, promise, claims.get(i - 1), claims.get(i));
                if (fault != null) {
                    violations.add(new Violation(
                            NAME, operation, claims.get(i) + " after " + claims.get(i - 1) + ": " + fault));
                }
            }
        }
        return violations;
    }

    private static @Nullable String fault(Timeline timeline, Promise promise, Claimed first, Claimed second) {
        if (first.version() == second.version()) {
            return "the same fencing number";
        }
        if (timeline.mayHaveForgotten(first.version(), second.version())) {
            return null;
        }
        List<Completed> ends = timeline.of(first.operation(), Completed.class).stream()
                .map(Timeline.At::event)
                .filter(end -> end.version() == first.version())
                .toList();
        if (ends.stream().anyMatch(end -> end.end() == End.SUCCESS && end.result() == Result.APPLIED)) {
            return "the first one had succeeded";
        }
        if (ends.stream().anyMatch(end -> end.end() != End.SUCCESS && end.result() != Result.STALE)) {
            return null;
        }
        long held = second.version() - first.version();
        return held < promise.leaseMicros() ? "the first one's lease was not over after " + held + " us" : null;
    }
}
