// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import dev.idempotency.faults.history.Event.Answered;
import dev.idempotency.faults.history.Event.Called;
import dev.idempotency.faults.history.Event.Effect;
import dev.idempotency.faults.history.Event.Reported;
import dev.idempotency.faults.history.Timeline.At;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Every success that a caller is told of is an effect that happened, and all callers are told of the same one. */
final class AnswerRule implements Rule {

    private static final Set<Report> EXCUSES = EnumSet.of(
            Report.STALE_COMPLETION, Report.COMPLETION_DELAYED, Report.COMPLETION_LOST, Report.RAN_UNPROTECTED);

    @Override
    public List<Violation> violations(Timeline timeline, Promise promise) {
        List<Violation> violations = new ArrayList<>();
        for (String operation : timeline.operations()) {
            List<At<Answered>> successes = timeline.of(operation, Answered.class).stream()
                    .filter(answer -> answer.event().isSuccess())
                    .toList();
            invented(timeline, operation, successes, violations);
            differing(timeline, promise, operation, successes, violations);
        }
        return violations;
    }

    private static void invented(
            Timeline timeline, String operation, List<At<Answered>> successes, List<Violation> violations) {
        Set<Long> effects = timeline.of(operation, Effect.class).stream()
                .map(effect -> effect.event().id())
                .collect(Collectors.toSet());
        for (At<Answered> success : successes) {
            if (!effects.contains(success.event().effect())) {
                violations.add(new Violation(
                        "an answer agrees with an effect", operation, success.event() + ", effects: " + effects));
            }
        }
    }

    private static void differing(
            Timeline timeline,
            Promise promise,
            String operation,
            List<At<Answered>> successes,
            List<Violation> violations) {
        Map<Long, Long> sent = new HashMap<>();
        timeline.of(operation, Called.class)
                .forEach(call -> sent.put(call.event().call(), call.micros()));
        boolean excused = !promise.exactlyOnce()
                && timeline.of(operation, Reported.class).stream()
                        .anyMatch(said -> EXCUSES.contains(said.event().report()));
        for (At<Answered> later : successes) {
            for (At<Answered> earlier : successes) {
                boolean bothReplays =
                        earlier.event().replayed() && later.event().replayed();
                boolean follows = sent.getOrDefault(later.event().call(), Long.MIN_VALUE) > earlier.micros();
                if (earlier.event().effect() != later.event().effect()
                        && ((follows && !excused) || (bothReplays && earlier.micros() <= later.micros()))
                        && !timeline.mayHaveForgotten(version(timeline, earlier), version(timeline, later))) {
                    violations.add(new Violation(
                            "one answer for all", operation, later.event() + " after " + earlier.event()));
                }
            }
        }
    }

    /** When the attempt began whose effect an answer names, by the store's clock. */
    private static long version(Timeline timeline, At<Answered> answer) {
        return timeline.of(answer.event().operation(), Effect.class).stream()
                .map(At::event)
                .filter(effect -> effect.id() == answer.event().effect())
                .mapToLong(Effect::version)
                .findAny()
                .orElse(answer.micros());
    }
}
