// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import dev.idempotency.faults.history.Event.Completed;
import dev.idempotency.faults.history.Event.End;
import dev.idempotency.faults.history.Event.Fault;
import dev.idempotency.faults.history.Event.Reported;
import dev.idempotency.faults.history.Event.Result;
import dev.idempotency.faults.history.Timeline.At;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What an owner could not write, it tells: a stale completion by an event and, if its effect stays, a dead letter, one that the store did not
 * answer by an event and, unless it was written later, another. Processes that were killed are excused.
 */
final class ReportRule implements Rule {

    private static final String NAME = "what is not written is told";

    @Override
    public List<Violation> violations(Timeline timeline, Promise promise) {
        Set<String> killed = timeline.all(Fault.class).stream()
                .filter(fault -> fault.event().kind() == FaultKind.KILLED)
                .map(fault -> fault.event().instance())
                .collect(Collectors.toSet());
        List<Violation> violations = new ArrayList<>();
        for (String operation : timeline.operations()) {
            List<At<Completed>> ends = timeline.of(operation, Completed.class).stream()
                    .filter(end -> end.event().end() == End.SUCCESS)
                    .filter(end -> !killed.contains(end.event().instance()))
                    .toList();
            for (At<Completed> end : ends) {
                boolean told = switch (end.event().result()) {
                    case APPLIED, JOINED, UNJOINED -> true;
                    case STALE -> isStaleTold(timeline, promise, end);
                    case UNANSWERED -> isUnansweredTold(timeline, end, ends);
                };
                if (!told) {
                    violations.add(new Violation(NAME, operation, end.event() + " was not reported"));
                }
            }
        }
        return violations;
    }

    /** Where the effect is rolled back with the completion, there is nothing for a person to decide. */
    private static boolean isStaleTold(Timeline timeline, Promise promise, At<Completed> end) {
        return hasReport(timeline, end, Report.STALE_COMPLETION)
                && (promise.exactlyOnce() || hasReport(timeline, end, Report.LETTER_STALE_COMPLETION));
    }

    private static boolean isUnansweredTold(Timeline timeline, At<Completed> end, List<At<Completed>> ends) {
        boolean writtenLater = ends.stream()
                .anyMatch(later -> later.micros() >= end.micros()
                        && later.event().version() == end.event().version()
                        && later.event().result() != Result.UNANSWERED);
        boolean lost = hasReport(timeline, end, Report.COMPLETION_LOST)
                && hasReport(timeline, end, Report.LETTER_COMPLETION_LOST);
        return hasReport(timeline, end, Report.COMPLETION_DELAYED) && (writtenLater || lost);
    }

    private static boolean hasReport(Timeline timeline, At<Completed> end, Report report) {
        return timeline.of(end.event().operation(), Reported.class).stream()
                .map(At::event)
                .anyMatch(said -> said.report() == report
                        && said.instance().equals(end.event().instance()));
    }
}
