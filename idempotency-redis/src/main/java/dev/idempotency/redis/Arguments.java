// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.key.Fingerprint;
import dev.idempotency.store.Completion;
import dev.idempotency.store.OwnerToken;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Values as the scripts take them: fixed-length bytes to compare, decimal digits to calculate with. */
@SuppressWarnings("ByteBufferBackingArray") // every buffer here wraps an array from its first byte
final class Arguments {

    /** Keeps every time of a record below 2^53 microseconds since 1970, where Lua's numbers stop being exact. */
    private static final Duration LONGEST = Duration.ofDays(36_525);

    private Arguments() {}

    static byte[] text(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] owner(OwnerToken owner) {
        return ByteBuffer.allocate(OwnerToken.BYTES)
                .putLong(owner.high())
                .putLong(owner.low())
                .array();
    }

    static byte[] algorithm(Fingerprint fingerprint) {
        return ByteBuffer.allocate(Integer.BYTES)
                .putInt(fingerprint.algorithm())
                .array();
    }

    /** Whole microseconds, rounded up, at least 1. */
    static byte[] micros(Duration duration) {
        Duration bounded = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
        long nanos = Math.addExact(Math.multiplyExact(bounded.getSeconds(), 1_000_000_000L), bounded.getNano());
        return text(Long.toString(Math.max(1, (nanos + 999) / 1_000)));
    }

    static Duration duration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    static byte[][] completion(OwnerToken owner, Completion completion) {
        if (completion instanceof Completion.Success success) {
            return new byte[][] {
                owner(owner), text("success"), success.payload().bytes(), micros(success.ttl())
            };
        }
        if (completion instanceof Completion.Failure failure) {
            return new byte[][] {
                owner(owner),
                text("failure"),
                failure.payload().bytes(),
                micros(failure.ttl()),
                text(Integer.toString(failure.breaker().failures())),
                micros(failure.breaker().window()),
                micros(failure.breaker().cooldown().first()),
                text(Double.toString(failure.breaker().cooldown().multiplier())),
                micros(failure.breaker().cooldown().max())
            };
        }
        return new byte[][] {owner(owner), text("release")};
    }
}
