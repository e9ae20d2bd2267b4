// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import dev.idempotency.spring.json.ValueCodec;
import dev.idempotency.spring.json.ValueCodecException;
import dev.idempotency.store.Payload;
import dev.idempotency.store.StoredResponse;
import dev.idempotency.store.StoredResponse.Field;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * How results of a declared type are kept and given again: a value by its type, and no value (null, void, an empty
 * {@code Optional}) as what it is. The declaration alone decides which class is made. Immutable.
 */
final class ResultType {

    private static final String FIELD = "value";
    private static final StoredResponse NULL = withoutBody("null");
    private static final StoredResponse EMPTY = withoutBody("empty");

    /** What cannot be given twice, or not without being used up; by name, as some may not be there. */
    private static final List<String> UNKEEPABLE = List.of(
            "org.reactivestreams.Publisher",
            "java.util.concurrent.Flow$Publisher",
            "java.util.stream.BaseStream",
            "java.util.Iterator",
            "java.io.InputStream",
            "java.io.Reader",
            Future.class.getName());

    private final boolean async;
    private final boolean optional;

    /** Of the value itself; {@code null} for void. */
    private final @Nullable Type value;

    private ResultType(boolean async, boolean optional, @Nullable Type value) {
        this.async = async;
        this.optional = optional;
        this.value = value;
    }

    /**
     * Reads a declaration.
     *
     * @throws IllegalArgumentException if such results cannot be kept; the message is what must be different about the type
     */
    static ResultType of(Type declared) {
        ResolvableType type = ResolvableType.forType(declared);
        Class<?> raw = type.toClass();
        boolean async = raw == CompletableFuture.class || raw == CompletionStage.class;
        if (async) {
            type = type.getGeneric();
            raw = type.toClass();
        }
        boolean optional = raw == Optional.class;
        if (optional) {
            type = type.getGeneric();
            raw = type.toClass();
        }
        if (raw == void.class || raw == Void.class) {
            return new ResultType(async, optional, null);
        }
        if (raw == Object.class) { // also what a type variable or a wildcard resolves to
            throw new IllegalArgumentException("must say what it is, but is " + declared.getTypeName());
        }
        if (isUnkeepable(raw)) {
            throw new IllegalArgumentException(
                    "must be a value that can be kept, or a CompletableFuture of one, but is "
                            + declared.getTypeName());
        }
        return new ResultType(async, optional, type.getType());
    }

    private static boolean isUnkeepable(@Nullable Class<?> type) {
        if (type == null) {
            return false;
        }
        if (UNKEEPABLE.contains(type.getName()) || isUnkeepable(type.getSuperclass())) {
            return true;
        }
        for (Class<?> parent : type.getInterfaces()) {
            if (isUnkeepable(parent)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the result is there only when the returned future is complete. */
    boolean isAsync() {
        return async;
    }

    /**
     * Checks that the result is there once the method returns.
     *
     * @throws IllegalArgumentException if it is not; the message is the rest of a sentence about {@code transactional}
     */
    void requireSynchronous() {
        if (async) {
            throw new IllegalArgumentException("cannot cover what is completed on another thread");
        }
    }

    /**
     * Asks the codec whether it can read the values back.
     *
     * @throws IllegalArgumentException if not; the message is what must be different about the type
     */
    void check(ValueCodec codec) {
        if (value != null) {
            codec.check(value);
        }
    }

    /** What to keep of a result; of the future's, if it is one. */
    StoredResponse encode(@Nullable Object result, ValueCodec codec) throws ValueCodecException {
        Object plain = result;
        if (optional && result instanceof Optional<?> present) {
            if (present.isEmpty()) {
                return EMPTY;
            }
            plain = present.get();
        }
        if (plain == null || value == null) {
            return NULL;
        }
        return new StoredResponse(0, List.of(new Field(FIELD, "json")), Payload.of(codec.write(plain, value)));
    }

    /**
     * The result as the method would return it.
     *
     * @throws ValueCodecException if what was kept is no result of this type
     */
    @Nullable
    Object decode(StoredResponse stored, ValueCodec codec) throws ValueCodecException {
        Object result = decodePlain(stored, codec);
        return async ? CompletableFuture.completedFuture(result) : result;
    }

    private @Nullable Object decodePlain(StoredResponse stored, ValueCodec codec) throws ValueCodecException {
        if (value == null && !optional) {
            return null;
        }
        if (stored.equals(EMPTY) && optional) {
            return Optional.empty();
        }
        boolean primitive = value instanceof Class<?> type && type.isPrimitive();
        if (stored.equals(NULL) && !primitive) {
            return null;
        }
        if (value == null || stored.body().size() == 0) {
            throw new ValueCodecException("another type of result was kept", null);
        }
        Object read = codec.read(stored.body().bytes(), value);
        if (read == null) {
            throw new ValueCodecException("the JSON of a value is null", null);
        }
        return optional ? Optional.of(read) : read;
    }

    private static StoredResponse withoutBody(String kind) {
        return new StoredResponse(0, List.of(new Field(FIELD, kind)), Payload.EMPTY);
    }
}
