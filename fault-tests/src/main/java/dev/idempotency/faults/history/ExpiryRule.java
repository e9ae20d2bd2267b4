// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import dev.idempotency.faults.history.Event.KeyFound;
import java.util.List;

/** Nothing stays in the store for ever. */
final class ExpiryRule implements Rule {

    @Override
    public List<Violation> violations(Timeline timeline, Promise promise) {
        return timeline.all(KeyFound.class).stream()
                .map(Timeline.At::event)
                .filter(key -> key.ttlMillis() < 0)
                .map(key -> new Violation("every key has a time to live", key.key(), "it has none"))
                .toList();
    }
}
