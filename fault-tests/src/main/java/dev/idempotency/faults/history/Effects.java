// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import dev.idempotency.faults.history.Event.Effect;
import dev.idempotency.faults.history.Event.Reported;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The effects of all operations, and what is known of those that should not have been.
 *
 * @param total how many effects there were
 * @param further those beyond an operation's first, each with its explanation, if there is one
 */
record Effects(int total, List<Further> further) {

    /** An effect beyond the first one of its operation. */
    record Further(Effect effect, @Nullable String explanation) {}

    static Effects of(Timeline timeline) {
        int total = 0;
        List<Further> further = new ArrayList<>();
        for (String operation : timeline.operations()) {
            List<Effect> effects = timeline.of(operation, Effect.class).stream()
                    .map(Timeline.At::event)
                    .sorted(Comparator.comparingLong(Effect::version))
                    .toList();
            total += effects.size();
            for (int i = 1; i < effects.size(); i++) {
                further.add(new Further(effects.get(i), explanation(timeline, effects.get(i - 1), effects.get(i))));
            }
        }
        return new Effects(total, further);
    }

    /** Why the operation ran again although it had run before; the one before has the lower fencing number. */
    private static @Nullable String explanation(Timeline timeline, Effect before, Effect again) {
        List<Reported> reports = timeline.of(again.operation(), Reported.class).stream()
                .map(Timeline.At::event)
                .toList();
        if (before.version() == 0) {
            return reports.stream().anyMatch(said -> said.report() == Report.RAN_UNPROTECTED) ? "unprotected" : null;
        }
        if (before.version() == again.version()) {
            return null;
        }
        if (reports.stream().anyMatch(said -> said.report() == Report.ORPHAN && said.attempt() == again.attempt())) {
            return "orphan";
        }
        if (timeline.mayHaveForgotten(before.version(), again.version())) {
            return "loss";
        }
        boolean isStale = reports.stream().anyMatch(said -> said.report() == Report.STALE_COMPLETION);
        return isStale ? "stale" : null;
    }

    /** How many of the further effects are explained, by explanation. */
    Map<String, Integer> explained() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        further.stream()
                .map(Further::explanation)
                .filter(Objects::nonNull)
                .sorted()
                .forEach(explanation -> counts.merge(explanation, 1, Integer::sum));
        return counts;
    }
}
