// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Payload;
import java.time.Instant;

/**
 * What a queue tells of a dead letter without looking into it. All times are the queue's, in whole microseconds.
 *
 * @param id the same for every occurrence of one opening, orphan or stale completion
 * @param reason why it was parked
 * @param key the operation
 * @param version the record's version that the letter is about
 * @param contentBytes size of what is inside
 * @param occurrences how many requests have met this case, 1 or more
 * @param firstSeen when the first of them did
 * @param lastSeen when the latest of them did
 * @param handling what operators have done with it
 */
public record DeadLetterSummary(
        String id,
        DeadLetterReason reason,
        RecordKey key,
        long version,
        int contentBytes,
        long occurrences,
        Instant firstSeen,
        Instant lastSeen,
        Handling handling) {

    /** That of a letter which is parked at this instant. */
    public static DeadLetterSummary parked(ParkedRequest request, Instant now) {
        return new DeadLetterSummary(
                request.id(),
                request.reason(),
                request.key(),
                request.version(),
                request.content().size(),
                1,
                now,
                now,
                Handling.none(now));
    }

    /** This one, with one more occurrence. */
    public DeadLetterSummary seenAgain(Instant now) {
        return new DeadLetterSummary(id, reason, key, version, contentBytes, occurrences + 1, firstSeen, now, handling);
    }

    /** This one as it is to be seen at this instant: a redrive whose lease is over leaves the letter open. */
    public DeadLetterSummary at(Instant now) {
        return with(handling.at(now));
    }

    DeadLetterSummary with(Handling other) {
        return new DeadLetterSummary(id, reason, key, version, contentBytes, occurrences, firstSeen, lastSeen, other);
    }

    public DeadLetterState state() {
        return handling.state();
    }

    /** Whether it has outlived its retention at this instant. */
    public boolean isExpired(DeadLetterLimits limits, Instant now) {
        return !now.isBefore(firstSeen.plus(limits.retention()));
    }

    /** The letter with what is inside. */
    public DeadLetter with(Payload content) {
        return new DeadLetter(this, content);
    }
}
