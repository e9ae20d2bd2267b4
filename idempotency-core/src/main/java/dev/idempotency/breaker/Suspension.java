// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * That a bizType is suspended, and since its end that it waits for a trial to succeed.
 *
 * @param cause why
 * @param since when it began
 * @param until when trials may run, unless it is lifted before
 * @param cooldown its length, which the next one grows from
 * @param count how many there have been since the last success, this one included
 * @param recordKey hexadecimal digits of the record key whose failure began it
 * @param version of that record since then
 * @param trials those that were let through after {@code until}
 */
public record Suspension(
        SuspensionCause cause,
        Instant since,
        Instant until,
        Duration cooldown,
        int count,
        String recordKey,
        long version,
        List<Trial> trials) {

    public Suspension {
        trials = List.copyOf(trials);
    }

    /**
     * An attempt that decides.
     *
     * @param id tells it from all others
     * @param end when another one may run in its place, should nothing be heard of it
     */
    public record Trial(long id, Instant end) {}

    Suspension with(List<Trial> others) {
        return new Suspension(cause, since, until, cooldown, count, recordKey, version, others);
    }

    /** Whether the attempt of this id decides. */
    public boolean hasTrial(long id) {
        return trials.stream().anyMatch(trial -> trial.id() == id);
    }
}
