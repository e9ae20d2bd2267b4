// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.json;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Turns the arguments and results of protected methods into JSON, and results back by the type that the code declares. What
 * the bytes say never decides which class is made. A bean of this type replaces ours. May be used from any thread.
 */
public interface ValueCodec {

    /** A short name of the format that does not change while values are written the same way. */
    String format();

    /**
     * Checks at start-up whether values of a type can be read back, as far as its declaration tells.
     *
     * @throws IllegalArgumentException if they cannot; the message is what must be different about the type
     */
    void check(Type type);

    /** JSON of a value by its own class: everything that it says counts. */
    byte[] write(@Nullable Object value) throws ValueCodecException;

    /** JSON of a value by its declared type, which is what {@link #read} is given later. */
    byte[] write(@Nullable Object value, Type type) throws ValueCodecException;

    /** The value of the declared type. */
    @Nullable
    Object read(byte[] json, Type type) throws ValueCodecException;
}
