// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.PreviousAttempt;
import java.time.Duration;

/** Reads what {@code claim.lua} returns. */
final class ClaimReply {

    private ClaimReply() {}

    static ClaimResult read(RecordKey key, Reply reply) {
        String outcome = reply.word(0);
        if (outcome.equals("claimed")) {
            return new ClaimResult.Claimed(reply.number(1), (int) reply.number(2), previous(reply));
        }
        if (outcome.equals("unreadable")) {
            return new ClaimResult.Unreadable();
        }
        return RecordReader.read(key, reply.bytes(1)) instanceof Lookup.Found found
                ? refused(outcome, found, reply)
                : new ClaimResult.Unreadable();
    }

    private static ClaimResult refused(String outcome, Lookup.Found read, Reply reply) {
        return switch (outcome) {
            case "completed" -> new ClaimResult.Completed(read.found(), remaining(reply));
            case "in-progress" -> new ClaimResult.InProgress(read.found(), remaining(reply));
            case "key-reused" -> new ClaimResult.KeyReused(read.found());
            case "cooling-down" -> new ClaimResult.CoolingDown(read.found(), remaining(reply));
            case "outcome-unknown" -> new ClaimResult.OutcomeUnknown(read.found());
            default -> throw reply.notUnderstood();
        };
    }

    private static PreviousAttempt previous(Reply reply) {
        return switch (reply.word(3)) {
            case "NONE" -> PreviousAttempt.NONE;
            case "FAILED" -> PreviousAttempt.FAILED;
            case "ORPHANED" -> PreviousAttempt.ORPHANED;
            default -> throw reply.notUnderstood();
        };
    }

    private static Duration remaining(Reply reply) {
        return Arguments.duration(reply.number(2));
    }
}
