// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import dev.idempotency.faults.history.Event.Answered;
import dev.idempotency.faults.history.Event.Claimed;
import dev.idempotency.faults.history.Event.Fault;
import dev.idempotency.faults.history.Event.Unanswered;
import dev.idempotency.faults.history.Timeline.At;
import dev.idempotency.faults.history.Timeline.Stretch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the calls that a fault has hit: the store had granted their claim before it began, and they ended after it had struck,
 * or got no answer as their process was killed. A call counts once, however many faults it met.
 */
final class Hits {

    private final Timeline timeline;
    private final List<At<Fault>> faults;
    private final List<Stretch> strikes = new ArrayList<>();

    private Hits(Timeline timeline) {
        this.timeline = timeline;
        this.faults = timeline.all(Fault.class);
        long broken = Long.MAX_VALUE;
        for (At<Fault> fault : faults) {
            if (fault.event().kind() == FaultKind.BROKEN) {
                broken = fault.micros();
            } else if (fault.event().kind() == FaultKind.STRUCK) {
                strikes.add(new Stretch(broken, fault.micros()));
            }
        }
    }

    static int of(Timeline timeline) {
        Hits hits = new Hits(timeline);
        return timeline.operations().stream().mapToInt(hits::of).sum();
    }

    private int of(String operation) {
        Map<Long, Long> answered = new HashMap<>();
        timeline.of(operation, Answered.class)
                .forEach(end -> answered.put(end.event().call(), end.micros()));
        Map<Long, Long> unanswered = new HashMap<>();
        timeline.of(operation, Unanswered.class)
                .forEach(end -> unanswered.put(end.event().call(), end.micros()));
        return (int) timeline.of(operation, Claimed.class).stream()
                .filter(claim -> {
                    Long answer = answered.get(claim.event().call());
                    Long end = answer == null ? unanswered.get(claim.event().call()) : answer;
                    return end != null
                            && (wasStruck(claim, end)
                                    || befell(FaultKind.PAUSED, claim, end)
                                    || (answer == null && befell(FaultKind.KILLED, claim, Long.MAX_VALUE)));
                })
                .map(claim -> claim.event().call())
                .distinct()
                .count();
    }

    private boolean wasStruck(At<Claimed> claim, long end) {
        return strikes.stream().anyMatch(strike -> claim.micros() <= strike.from() && strike.to() <= end);
    }

    /** Whether that happened to the claim's owner between the claim and a moment. */
    private boolean befell(FaultKind kind, At<Claimed> claim, long until) {
        return faults.stream()
                .anyMatch(fault -> fault.event().kind() == kind
                        && fault.event().instance().equals(claim.event().instance())
                        && fault.micros() >= claim.micros()
                        && fault.micros() <= until);
    }
}
