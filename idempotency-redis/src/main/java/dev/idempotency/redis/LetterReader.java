// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.Handling;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.OwnerToken;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Reads the string that {@code letters.lua} writes. */
final class LetterReader {

    private static final byte FORMAT = 1;

    private final ByteBuffer in;

    private LetterReader(ByteBuffer in) {
        this.in = in;
    }

    /**
     * Reads a letter.
     *
     * @param state how it is to be seen now
     * @throws IllegalStateException if it is of an unknown format
     */
    static DeadLetterSummary read(byte[] packed, String state) {
        ByteBuffer in = ByteBuffer.wrap(packed);
        if (in.get() != FORMAT) {
            throw new IllegalStateException("a dead letter in Redis is of an unknown format");
        }
        return new LetterReader(in).read(DeadLetterState.valueOf(state));
    }

    private DeadLetterSummary read(DeadLetterState state) {
        in.getLong(); // its position, which only the scripts need
        int bytes = in.getInt();
        long occurrences = in.getLong();
        Instant firstSeen = time(in.getLong());
        Instant lastSeen = time(in.getLong());
        Instant changed = time(in.getLong());
        int redrives = in.getInt();
        long leaseEnd = in.getLong();
        int status = in.getInt();
        String id = text();
        DeadLetterReason reason = DeadLetterReason.valueOf(text());
        RecordKey key = RecordKey.ofHex(text(), text());
        long version = Long.parseLong(text());
        text(); // its state, whatever the time
        OwnerToken owner = owner();
        String operator = text();
        String note = text();
        String outcome = text();
        return new DeadLetterSummary(
                id,
                reason,
                key,
                version,
                bytes,
                occurrences,
                firstSeen,
                lastSeen,
                new Handling(
                        state,
                        changed,
                        redrives,
                        owner,
                        leaseEnd == 0 ? null : time(leaseEnd),
                        operator,
                        note,
                        outcome.isEmpty() ? null : new RedriveOutcome(RedriveOutcome.Result.valueOf(outcome), status)));
    }

    private static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private byte[] bytes() {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }

    private String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    private @Nullable OwnerToken owner() {
        ByteBuffer bytes = ByteBuffer.wrap(bytes());
        return bytes.hasRemaining() ? new OwnerToken(bytes.getLong(), bytes.getLong()) : null;
    }
}
