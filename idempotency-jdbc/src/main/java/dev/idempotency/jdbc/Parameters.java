// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Sets a statement's parameters from left to right. */
final class Parameters {

    private final PreparedStatement statement;
    private int index;

    Parameters(PreparedStatement statement) {
        this.statement = statement;
    }

    Parameters number(long value) throws SQLException {
        statement.setLong(++index, value);
        return this;
    }

    Parameters integer(int value) throws SQLException {
        statement.setInt(++index, value);
        return this;
    }

    Parameters text(String value) throws SQLException {
        statement.setString(++index, value);
        return this;
    }

    Parameters bytes(byte[] value) throws SQLException {
        statement.setBytes(++index, value);
        return this;
    }

    Parameters instant(Instant value) throws SQLException {
        return number(Micros.of(value));
    }

    Parameters instantOrNull(@Nullable Instant value) throws SQLException {
        if (value == null) {
            statement.setNull(++index, Types.BIGINT);
            return this;
        }
        return instant(value);
    }

    Parameters durationOrNull(@Nullable Duration value) throws SQLException {
        if (value == null) {
            statement.setNull(++index, Types.BIGINT);
            return this;
        }
        return number(Micros.of(value));
    }

    Parameters owner(OwnerToken owner) throws SQLException {
        return bytes(bytes(owner));
    }

    /** An owner as its column has it. */
    static byte[] bytes(OwnerToken owner) {
        return ByteBuffer.allocate(OwnerToken.BYTES)
                .putLong(owner.high())
                .putLong(owner.low())
                .array();
    }

    Parameters ownerOrNull(@Nullable OwnerToken owner) throws SQLException {
        if (owner == null) {
            statement.setNull(++index, Types.BINARY);
            return this;
        }
        return owner(owner);
    }

    Parameters textOrNull(@Nullable String value) throws SQLException {
        if (value == null) {
            statement.setNull(++index, Types.VARCHAR);
            return this;
        }
        return text(value);
    }

    Parameters payload(Payload payload) throws SQLException {
        return bytes(payload.bytes());
    }

    /** The three columns of the primary key. */
    Parameters key(RecordKey key, String namespace) throws SQLException {
        return bytes(key.toBytes()).text(key.bizType()).text(namespace);
    }
}
