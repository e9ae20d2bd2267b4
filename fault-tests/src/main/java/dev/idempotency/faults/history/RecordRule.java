// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import dev.idempotency.faults.history.Event.Seen;
import java.util.List;

/** Whenever one looks at both at once, a record says that its operation is done if and only if the effect is there. */
final class RecordRule implements Rule {

    @Override
    public List<Violation> violations(Timeline timeline, Promise promise) {
        return timeline.all(Seen.class).stream()
                .map(Timeline.At::event)
                .filter(seen -> seen.effects() != (seen.succeeded() ? 1 : 0))
                .map(seen -> new Violation("the record says what happened", seen.operation(), seen.toString()))
                .toList();
    }
}
