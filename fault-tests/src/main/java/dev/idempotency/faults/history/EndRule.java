// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import dev.idempotency.faults.history.Event.Answered;
import dev.idempotency.faults.history.Event.Called;
import dev.idempotency.faults.history.Event.Reported;
import dev.idempotency.faults.history.Timeline.At;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** In the end every operation is done, or is a person's to decide where the settings say so; no call stays open. */
final class EndRule implements Rule {

    @Override
    public List<Violation> violations(Timeline timeline, Promise promise) {
        List<Violation> violations = new ArrayList<>();
        for (String operation : timeline.operations()) {
            List<At<Answered>> answers = timeline.of(operation, Answered.class);
            Answered last =
                    answers.isEmpty() ? null : answers.get(answers.size() - 1).event();
            if (!isEnd(timeline, promise, last)) {
                violations.add(new Violation("every operation can be completed", operation, "the last was " + last));
            }
            int calls = timeline.of(operation, Called.class).size();
            int ends = answers.size()
                    + timeline.of(operation, Event.Unanswered.class).size();
            if (calls != ends) {
                violations.add(new Violation("every call ends", operation, calls + " calls and " + ends + " ends"));
            }
        }
        return violations;
    }

    private static boolean isEnd(Timeline timeline, Promise promise, @Nullable Answered last) {
        if (last == null) {
            return false;
        }
        if (promise.uncertain() && last.problem().equals("outcome-unknown")) {
            return timeline.of(last.operation(), Reported.class).stream()
                    .anyMatch(said -> said.event().report() == Report.LETTER_OUTCOME_UNKNOWN);
        }
        return last.isSuccess();
    }
}
