// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.deadletter;

import dev.idempotency.key.RecordKey;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request parked for a person, with what is known of it.
 *
 * @param id the same for every occurrence of one opening, orphan or stale completion
 * @param reason why it was parked
 * @param key the operation
 * @param version the record's version that the letter is about
 * @param attempts how often the operation had been tried
 * @param request the request that was parked first
 * @param failure what the last attempt failed with, if known
 * @param traceId trace of the attempt or refusal that parked it, if traced
 * @param occurrences how many requests have met this case, 1 or more
 * @param firstSeen this node's time of the first of them
 * @param lastSeen this node's time of the latest of them
 */
public record DeadLetter(
        String id,
        DeadLetterReason reason,
        RecordKey key,
        long version,
        int attempts,
        RequestSnapshot request,
        @Nullable String failure,
        @Nullable String traceId,
        long occurrences,
        Instant firstSeen,
        Instant lastSeen) {

    /** The letter of the first occurrence. */
    public static DeadLetter first(
            DeadLetterReason reason,
            RecordKey key,
            long version,
            int attempts,
            RequestSnapshot request,
            @Nullable String failure,
            @Nullable String traceId,
            Instant now) {
        String id = key.bizType() + "-" + key.hex().substring(0, 16) + "-"
                + Long.toString(version, Character.MAX_RADIX) + "-"
                + reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return new DeadLetter(id, reason, key, version, attempts, request, failure, traceId, 1, now, now);
    }

    /** This letter, met once more. */
    public DeadLetter seenAgain(Instant now) {
        return new DeadLetter(
                id, reason, key, version, attempts, request, failure, traceId, occurrences + 1, firstSeen, now);
    }
}
