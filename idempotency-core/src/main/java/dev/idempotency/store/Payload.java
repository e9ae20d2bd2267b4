// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes that pass through without being looked into. Holds the array it is given; nobody may change it afterwards. */
public final class Payload {

    /** No bytes. */
    public static final Payload EMPTY = new Payload(new byte[0]);

    private final byte[] bytes;

    private Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The given array as a payload, not copied. */
    public static Payload of(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Payload(bytes);
    }

    /** The array itself, not a copy; read only. */
    public byte[] bytes() {
        return bytes;
    }

    /** Number of bytes. */
    public int size() {
        return bytes.length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The size only: payloads are not for logs. */
    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
