// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.Handling;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.OwnerToken;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** How a dead letter lies in its row. */
final class LetterRow {

    /** What never changes after parking, but for the last two. */
    static final String CASE_COLUMNS =
            "reason, biz_type, record_key, version, content_bytes, first_seen, occurrences, last_seen";

    static final String HANDLING_COLUMNS =
            "state, changed_at, redrives, owner, lease_end, operator_name, note, outcome," + " outcome_status";

    static final int OPEN = 0;
    static final int REDRIVING = 1;
    private static final int REDRIVEN = 2;
    private static final int DISCARDED = 3;

    private LetterRow() {}

    static DeadLetterSummary read(ResultSet row) throws SQLException {
        byte[] key = row.getBytes("record_key");
        return new DeadLetterSummary(
                row.getString("id"),
                DeadLetterReason.valueOf(row.getString("reason")),
                RecordKey.ofHex(row.getString("biz_type"), HexFormat.of().formatHex(key)),
                row.getLong("version"),
                row.getInt("content_bytes"),
                row.getLong("occurrences"),
                Micros.instant(row.getLong("first_seen")),
                Micros.instant(row.getLong("last_seen")),
                handling(row));
    }

    private static Handling handling(ResultSet row) throws SQLException {
        String outcome = row.getString("outcome");
        return new Handling(
                state(row.getInt("state")),
                Micros.instant(row.getLong("changed_at")),
                row.getInt("redrives"),
                owner(row.getBytes("owner")),
                leaseEnd(row),
                row.getString("operator_name"),
                row.getString("note"),
                outcome == null
                        ? null
                        : new RedriveOutcome(RedriveOutcome.Result.valueOf(outcome), row.getInt("outcome_status")));
    }

    private static @Nullable Instant leaseEnd(ResultSet row) throws SQLException {
        long micros = row.getLong("lease_end");
        return row.wasNull() ? null : Micros.instant(micros);
    }

    private static @Nullable OwnerToken owner(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        ByteBuffer token = ByteBuffer.wrap(bytes);
        return new OwnerToken(token.getLong(), token.getLong());
    }

    static Parameters writeCase(Parameters parameters, DeadLetterSummary letter) throws SQLException {
        return parameters
                .text(letter.reason().name())
                .text(letter.key().bizType())
                .bytes(letter.key().toBytes())
                .number(letter.version())
                .integer(letter.contentBytes())
                .instant(letter.firstSeen())
                .number(letter.occurrences())
                .instant(letter.lastSeen());
    }

    static Parameters writeHandling(Parameters parameters, Handling handling) throws SQLException {
        RedriveOutcome outcome = handling.outcome();
        return parameters
                .integer(code(handling.state()))
                .instant(handling.changedAt())
                .integer(handling.redrives())
                .ownerOrNull(handling.owner())
                .instantOrNull(handling.leaseEnd())
                .text(handling.operator())
                .text(handling.note())
                .textOrNull(outcome == null ? null : outcome.result().name())
                .integer(outcome == null ? 0 : outcome.status());
    }

    static int code(DeadLetterState state) {
        return switch (state) {
            case OPEN -> OPEN;
            case REDRIVING -> REDRIVING;
            case REDRIVEN -> REDRIVEN;
            case DISCARDED -> DISCARDED;
        };
    }

    static DeadLetterState state(int code) throws SQLException {
        return switch (code) {
            case OPEN -> DeadLetterState.OPEN;
            case REDRIVING -> DeadLetterState.REDRIVING;
            case REDRIVEN -> DeadLetterState.REDRIVEN;
            case DISCARDED -> DeadLetterState.DISCARDED;
            default -> throw new SQLException("a dead letter has the unknown state " + code);
        };
    }
}
