// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import dev.idempotency.breaker.Suspension.Trial;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a bizType stands, for all instances together, as pure functions of what happened and the store's time. A step that
 * changes nothing returns the very same object.
 *
 * @param window what happened of late; empty while it is suspended
 * @param suspension {@code null} unless it is suspended, or was and no trial has succeeded since
 */
public record RouteState(RouteWindow window, @Nullable Suspension suspension) {

    /** Nothing has failed. */
    public static final RouteState CLOSED = new RouteState(RouteWindow.EMPTY, null);

    /** Most trials that are kept in mind, also those of which nothing was heard in time. */
    private static final int TRIALS_IN_MIND = 2 * RoutePolicy.MAX_TRIALS;

    /** Whether nothing of it may run at this instant; at the suspension's very end trials may. */
    public boolean isSuspended(Instant now) {
        return suspension != null && now.isBefore(suspension.until());
    }

    /** Operations succeeded; only a rate has to know. */
    public RouteState succeeded(RoutePolicy policy, long operations, Instant now) {
        return suspension != null || policy.failureRate() == 0 || operations == 0
                ? this
                : new RouteState(window.succeeded(policy, operations, now), null);
    }

    /**
     * An attempt failed. Where it is suspended, that of an attempt that was no trial says nothing new.
     *
     * @return a state with another suspension if the failure began one
     */
    public RouteState failed(RoutePolicy policy, RouteFailure failure, Instant now) {
        if (suspension != null) {
            return suspension.hasTrial(failure.trial())
                    ? suspend(policy, SuspensionCause.TRIAL_FAILED, failure, now)
                    : this;
        }
        RouteWindow after = window.failed(policy, failure.operation(), now);
        SuspensionCause cause = cause(policy, failure, after);
        return cause == null ? new RouteState(after, null) : suspend(policy, cause, failure, now);
    }

    private static @Nullable SuspensionCause cause(RoutePolicy policy, RouteFailure failure, RouteWindow after) {
        if (policy.repeats() > 0 && failure.repeats() > policy.repeats()) {
            return SuspensionCause.REPEATS;
        }
        if (policy.failures() > 0 && after.failures().size() >= policy.failures()) {
            return SuspensionCause.FAILURES;
        }
        return policy.failureRate() > 0 && after.exceeds(policy) ? SuspensionCause.FAILURE_RATE : null;
    }

    private RouteState suspend(RoutePolicy policy, SuspensionCause cause, RouteFailure failure, Instant now) {
        Duration cooldown = policy.cooldown().after(suspension == null ? null : suspension.cooldown());
        return new RouteState(
                RouteWindow.EMPTY,
                new Suspension(
                        cause,
                        now,
                        now.plus(cooldown),
                        cooldown,
                        suspension == null ? 1 : suspension.count() + 1,
                        failure.key().hex(),
                        failure.version(),
                        List.of()));
    }

    /**
     * A trial asks to run.
     *
     * @param id tells it from all others, not 0
     * @param limit how long to wait for word of it before another may run
     * @return the state with the trial; the same as before if it must not run now, or need not be a trial any more
     */
    public RouteState tried(RoutePolicy policy, long id, Duration limit, Instant now) {
        if (suspension == null || isSuspended(now)) {
            return this;
        }
        long running = suspension.trials().stream()
                .filter(trial -> now.isBefore(trial.end()))
                .count();
        if (running >= policy.trials()) {
            return this;
        }
        List<Trial> trials = new ArrayList<>(suspension.trials());
        trials.add(new Trial(id, now.plus(limit)));
        if (trials.size() > TRIALS_IN_MIND) {
            trials.remove(0);
        }
        return new RouteState(window, suspension.with(trials));
    }

    /** A trial succeeded: whatever was before is forgotten. */
    public RouteState trialSucceeded(long id) {
        return suspension != null && suspension.hasTrial(id) ? CLOSED : this;
    }

    /** A trial ended without deciding anything: another one may run in its place. */
    public RouteState trialReturned(long id) {
        if (suspension == null || !suspension.hasTrial(id)) {
            return this;
        }
        List<Trial> others =
                suspension.trials().stream().filter(trial -> trial.id() != id).toList();
        return new RouteState(window, suspension.with(others));
    }

    /** The bytes to store. */
    public byte[] encode() {
        return RouteStateCodec.encode(this);
    }

    /** Reads stored bytes; {@code null} if they are damaged or of an unknown format. */
    public static @Nullable RouteState decode(byte[] bytes) {
        return RouteStateCodec.decode(bytes);
    }
}
