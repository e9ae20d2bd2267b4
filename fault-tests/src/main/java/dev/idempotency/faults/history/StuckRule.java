// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import dev.idempotency.faults.history.Event.Answered;
import dev.idempotency.faults.history.Event.Called;
import dev.idempotency.faults.history.Event.ClaimUnanswered;
import dev.idempotency.faults.history.Event.Claimed;
import dev.idempotency.faults.history.Event.Completed;
import dev.idempotency.faults.history.Event.Fault;
import dev.idempotency.faults.history.Event.Result;
import dev.idempotency.faults.history.Timeline.At;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * No operation is stuck for longer than a lease: whoever calls a lease or more after every owner has died, and every
 * disturbance has ended, is not told that the operation is in progress.
 */
final class StuckRule implements Rule {

    @Override
    public List<Violation> violations(Timeline timeline, Promise promise) {
        List<Violation> violations = new ArrayList<>();
        for (String operation : timeline.operations()) {
            Map<Long, Long> sent = new HashMap<>();
            timeline.of(operation, Called.class)
                    .forEach(call -> sent.put(call.event().call(), call.micros()));
            for (At<Answered> answer : timeline.of(operation, Answered.class)) {
                long from = sent.getOrDefault(answer.event().call(), answer.micros()) - promise.leaseMicros();
                if (answer.event().problem().equals("in-progress")
                        && !timeline.wasDisturbed(from, answer.micros())
                        && !isClaimInDoubt(timeline, operation, from - promise.leaseMicros(), answer.micros())
                        && !mayBeOwned(timeline, operation, from, answer.micros())) {
                    violations.add(new Violation(
                            "nobody waits for the dead longer than their lease",
                            operation,
                            answer.event() + ", and nobody has owned it for a lease before it was sent"));
                }
            }
        }
        return violations;
    }

    /** A claim that was given up may still be on its way, and arrive when the disturbance that delayed it is over. */
    private static boolean isClaimInDoubt(Timeline timeline, String operation, long from, long to) {
        return timeline.of(operation, ClaimUnanswered.class).stream()
                .anyMatch(claim -> claim.micros() >= from && claim.micros() <= to);
    }

    private static boolean mayBeOwned(Timeline timeline, String operation, long from, long to) {
        return timeline.of(operation, Claimed.class).stream()
                .anyMatch(claim -> claim.micros() <= to && endOf(timeline, claim) >= from);
    }

    /** When the last sign of an owner's life was given: it may have renewed its claim until then. */
    private static long endOf(Timeline timeline, At<Claimed> claim) {
        String instance = claim.event().instance();
        for (At<Completed> end : timeline.of(claim.event().operation(), Completed.class)) {
            if (end.event().version() == claim.event().version()
                    && (end.event().result() == Result.APPLIED || end.event().result() == Result.STALE)) {
                return end.micros();
            }
        }
        long end = Long.MAX_VALUE;
        for (At<Fault> fault : timeline.all(Fault.class)) {
            if (fault.event().instance().equals(instance) && fault.micros() >= claim.micros()) {
                switch (fault.event().kind()) {
                    case KILLED, PAUSED -> end = Math.min(end, fault.micros());
                    case RESUMED -> end = Long.MAX_VALUE;
                    case BROKEN, STRUCK, HEALED, LOSING, LOST -> {}
                }
            }
        }
        return end;
    }
}
