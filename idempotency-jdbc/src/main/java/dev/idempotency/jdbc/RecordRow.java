// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.SlidingWindow;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordStatus;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a record lies in its row. */
final class RecordRow {

    /** The only form of a row so far. */
    static final int FORMAT = 1;

    static final int PENDING = 0;
    static final int SUCCESS = 1;
    static final int FAILED = 2;

    /** Name of the database's time in what is selected. */
    static final String TIME = "database_time";

    private RecordRow() {}

    /** Reads the current row, which may be all nulls if there is no record. */
    static Sight read(ResultSet row, RecordKey key) throws SQLException {
        Instant now = Micros.instant(row.getLong(TIME));
        int format = row.getInt("format");
        if (row.wasNull()) {
            return new Sight(null, true, now);
        }
        IdempotencyRecord current = format == FORMAT ? record(row, key) : null;
        return new Sight(current, current != null, now);
    }

    private static @Nullable IdempotencyRecord record(ResultSet row, RecordKey key) throws SQLException {
        RecordStatus status = status(row.getInt("status"));
        byte[] owner = row.getBytes("owner");
        byte[] fingerprint = row.getBytes("fingerprint");
        byte[] failures = row.getBytes("failures");
        if (status == null
                || owner.length != OwnerToken.BYTES
                || fingerprint.length != Fingerprint.DIGEST_BYTES
                || failures.length % Long.BYTES != 0
                || failures.length > BreakerPolicy.MAX_FAILURES * Long.BYTES) {
            return null;
        }
        ByteBuffer token = ByteBuffer.wrap(owner);
        return new IdempotencyRecord(
                key,
                row.getLong("version"),
                status,
                new OwnerToken(token.getLong(), token.getLong()),
                instant(row, "lease_end"),
                Fingerprint.of(row.getInt("algorithm"), fingerprint),
                row.getInt("attempts"),
                new SlidingWindow(times(failures), instantOrNull(row, "cooled_until"), durationOrNull(row, "cooldown")),
                Payload.of(row.getBytes("payload")),
                instant(row, "created_at"),
                instant(row, "updated_at"),
                instant(row, "expires_at"));
    }

    /** Sets what {@link RecordTable} calls the columns of a record, in their order. */
    static Parameters write(Parameters parameters, IdempotencyRecord written) throws SQLException {
        return parameters
                .integer(code(written.status()))
                .number(written.version())
                .owner(written.owner())
                .instant(written.leaseEnd())
                .integer(written.fingerprint().algorithm())
                .bytes(written.fingerprint().toBytes())
                .integer(written.attempts())
                .bytes(bytes(written.window().failures()))
                .instantOrNull(written.window().cooledUntil())
                .durationOrNull(written.window().cooldown())
                .payload(written.payload())
                .instant(written.createdAt())
                .instant(written.updatedAt())
                .instant(written.expiresAt());
    }

    private static int code(RecordStatus status) {
        return switch (status) {
            case PENDING -> PENDING;
            case SUCCESS -> SUCCESS;
            case FAILED -> FAILED;
        };
    }

    private static @Nullable RecordStatus status(int code) {
        return switch (code) {
            case PENDING -> RecordStatus.PENDING;
            case SUCCESS -> RecordStatus.SUCCESS;
            case FAILED -> RecordStatus.FAILED;
            default -> null;
        };
    }

    private static byte[] bytes(List<Instant> times) {
        ByteBuffer buffer = ByteBuffer.allocate(times.size() * Long.BYTES);
        for (Instant time : times) {
            buffer.putLong(Micros.of(time));
        }
        return buffer.array();
    }

    private static List<Instant> times(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        List<Instant> times = new ArrayList<>(bytes.length / Long.BYTES);
        while (buffer.hasRemaining()) {
            times.add(Micros.instant(buffer.getLong()));
        }
        return times;
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return Micros.instant(row.getLong(column));
    }

    private static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Micros.instant(micros);
    }

    private static @Nullable Duration durationOrNull(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Duration.of(micros, ChronoUnit.MICROS);
    }
}
