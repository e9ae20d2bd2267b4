// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.breaker.SlidingWindow;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordStatus;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the string that {@code record.lua} writes. */
final class RecordReader {

    private static final byte FORMAT = 2;
    private static final byte PENDING = 0;
    private static final byte SUCCESS = 1;
    private static final byte FAILED = 2;

    private RecordReader() {}

    /** {@link Lookup.Found}, or {@link Lookup.Unreadable} for anything that is not a whole record of our format. */
    static Lookup read(RecordKey key, byte[] value) {
        ByteBuffer buffer = ByteBuffer.wrap(value);
        try {
            if (buffer.get() == FORMAT) {
                RecordStatus status = status(buffer.get());
                if (status != null) {
                    return read(key, status, buffer);
                }
            }
        } catch (BufferUnderflowException e) {
            return new Lookup.Unreadable();
        }
        return new Lookup.Unreadable();
    }

    private static Lookup read(RecordKey key, RecordStatus status, ByteBuffer buffer) {
        long version = buffer.getLong();
        OwnerToken owner = new OwnerToken(buffer.getLong(), buffer.getLong());
        int algorithm = buffer.getInt();
        byte[] digest = new byte[Fingerprint.DIGEST_BYTES];
        buffer.get(digest);
        int attempts = buffer.getInt();
        Instant createdAt = instant(buffer.getLong());
        Instant updatedAt = instant(buffer.getLong());
        Instant expiresAt = instant(buffer.getLong());
        int payloadBytes = buffer.getInt();
        Instant leaseEnd = updatedAt;
        SlidingWindow window = SlidingWindow.EMPTY;
        if (status != RecordStatus.SUCCESS) {
            leaseEnd = instant(buffer.getLong());
            window = window(buffer);
        }
        if (buffer.remaining() != payloadBytes) {
            return new Lookup.Unreadable();
        }
        byte[] payload = new byte[payloadBytes];
        buffer.get(payload);
        return new Lookup.Found(new IdempotencyRecord(
                key,
                version,
                status,
                owner,
                leaseEnd,
                Fingerprint.of(algorithm, digest),
                attempts,
                window,
                Payload.of(payload),
                createdAt,
                updatedAt,
                expiresAt));
    }

    private static SlidingWindow window(ByteBuffer buffer) {
        long cooledUntil = buffer.getLong();
        long cooldown = buffer.getLong();
        buffer.get(); // whether somebody waits for the end, which only the scripts need
        int count = Byte.toUnsignedInt(buffer.get());
        List<Instant> failures = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            failures.add(instant(buffer.getLong()));
        }
        return cooledUntil == 0
                ? SlidingWindow.closed(failures)
                : new SlidingWindow(failures, instant(cooledUntil), Arguments.duration(cooldown));
    }

    private static @Nullable RecordStatus status(byte code) {
        return switch (code) {
            case PENDING -> RecordStatus.PENDING;
            case SUCCESS -> RecordStatus.SUCCESS;
            case FAILED -> RecordStatus.FAILED;
            default -> null;
        };
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
