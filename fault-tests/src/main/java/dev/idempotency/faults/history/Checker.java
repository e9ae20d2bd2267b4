// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import dev.idempotency.faults.history.Event.Called;
import java.util.List;

/** Says whether a history keeps a promise: a pure function of both. */
public final class Checker {

    private static final List<Rule> RULES = List.of(
            new EffectRule(),
            new RecordRule(),
            new OwnershipRule(),
            new AnswerRule(),
            new StuckRule(),
            new ReportRule(),
            new ExpiryRule(),
            new EndRule());

    private Checker() {}

    /** What is found in a history. */
    public static Verdict check(List<Entry> history, Promise promise) {
        Timeline timeline = new Timeline(history);
        Effects effects = Effects.of(timeline);
        return new Verdict(
                timeline.operations().size(),
                timeline.all(Called.class).size(),
                Hits.of(timeline),
                effects.total(),
                effects.further().size(),
                effects.explained(),
                RULES.stream()
                        .flatMap(rule -> rule.violations(timeline, promise).stream())
                        .toList());
    }
}
