// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import dev.idempotency.Idempotent;
import dev.idempotency.policy.IdempotencyLevel;
import dev.idempotency.spring.identity.SpelKeyResolver;
import dev.idempotency.spring.json.ValueCodec;
import dev.idempotency.spring.transaction.BusinessTransactions;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.io.InputStreamSource;

/** A method of a Spring bean whose calls are protected, with everything that its declaration tells. Immutable. */
public final class ProtectedMethod {

    /** Arguments that are no data: their JSON would fail, be the same for all of them, or use them up. */
    private static final Class<?>[] NO_DATA = {
        InputStream.class,
        OutputStream.class,
        Reader.class,
        Writer.class,
        InputStreamSource.class,
        BaseStream.class,
        Runnable.class,
        Callable.class,
        Supplier.class,
        Consumer.class,
        Function.class,
        Future.class,
        CompletionStage.class
    };

    private final Class<?> type;
    private final Method method;
    private final String name;
    private final String identity;
    private final Idempotent annotation;
    private final ResultType resultType;
    private final @Nullable SpelKeyResolver keyResolver;

    /**
     * A protected method.
     *
     * @param type the bean's class
     * @param method the method as the class has it
     * @param declared where the annotation stands, with the names of the parameters that it speaks of
     * @throws IllegalArgumentException if it cannot be protected; the message is one sentence
     */
    ProtectedMethod(Class<?> type, Method method, Method declared, Idempotent annotation) {
        this.type = type;
        this.method = method;
        this.name = type.getSimpleName() + "." + method.getName();
        this.identity = identity(type, method);
        this.annotation = annotation;
        requireReachable();
        try {
            Type returned = GenericTypeResolver.resolveType(method.getGenericReturnType(), type);
            this.resultType = ResultType.of(returned);
        } catch (IllegalArgumentException e) {
            throw complaint("its return type " + e.getMessage(), e);
        }
        this.keyResolver =
                annotation.keyResolver().isBlank() ? null : new SpelKeyResolver(annotation.keyResolver(), declared);
    }

    /**
     * What tells the method from all others, on every instance of the application: class, name and parameter types. Classes
     * that are made at run time are named differently each time; their methods go by the interface.
     */
    private static String identity(Class<?> type, Method method) {
        boolean named = !Proxy.isProxyClass(type) && !type.isHidden();
        return (named ? type.getName() : "") + "/"
                + method.getDeclaringClass().getName() + "."
                + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getName)
                        .collect(Collectors.joining(",", "(", ")"));
    }

    private void requireReachable() {
        if (Modifier.isStatic(method.getModifiers()) || Modifier.isPrivate(method.getModifiers())) {
            throw complaint("a private or static method cannot be protected, as no proxy sees its calls", null);
        }
    }

    /**
     * Checks that calls through a proxy of a kind reach it.
     *
     * @param byClass whether the proxy is a subclass; otherwise it has the given interfaces alone
     * @throws IllegalArgumentException if they do not
     */
    public void requireReachable(boolean byClass, Class<?>[] interfaces) {
        if (byClass && Modifier.isFinal(method.getModifiers())) {
            throw complaint("a final method cannot be protected, as no proxy sees its calls", null);
        }
        boolean inInterface = Stream.of(interfaces)
                .flatMap(type -> Stream.of(type.getMethods()))
                .anyMatch(candidate -> candidate.getName().equals(method.getName())
                        && candidate.getParameterCount() == method.getParameterCount());
        if (!byClass && !inInterface) {
            throw complaint(
                    "the bean can only be called through its interfaces (" + names(interfaces)
                            + "), which do not have the method",
                    null);
        }
    }

    private static String names(Class<?>[] types) {
        return Stream.of(types).map(Class::getSimpleName).collect(Collectors.joining(", "));
    }

    /**
     * Checks that calls have a key.
     *
     * @throws IllegalArgumentException if they do not
     */
    void requireKey() {
        if (keyResolver == null) {
            throw complaint("a method needs a keyResolver, such as keyResolver = \"#orderId\"", null);
        }
    }

    /**
     * Checks that results can be read back and arguments compared, as far as their types tell.
     *
     * @throws IllegalArgumentException if not
     */
    void requireValues(IdempotencyLevel level, IdempotentCalls calls) {
        ValueCodec codec;
        try {
            codec = calls.codec();
        } catch (IllegalArgumentException e) {
            throw complaint(String.valueOf(e.getMessage()), e);
        }
        try {
            resultType.check(codec);
        } catch (IllegalArgumentException e) {
            throw complaint("its return type " + e.getMessage(), e);
        }
        for (Class<?> argument : method.getParameterTypes()) {
            boolean noData = argument.getName().startsWith("jakarta.servlet.")
                    || Stream.of(NO_DATA).anyMatch(type -> type.isAssignableFrom(argument));
            if (noData && level == IdempotencyLevel.FULL_REQUEST) {
                throw complaint(
                        "its argument of type " + argument.getName()
                                + " cannot be compared; level = BUSINESS_ID compares keys alone",
                        null);
            }
        }
    }

    /**
     * Checks that its effect can be part of a transaction.
     *
     * @throws IllegalArgumentException if it cannot
     */
    void requireTransaction(BusinessTransactions transactions) {
        try {
            resultType.requireSynchronous();
            transactions.check(type, method);
        } catch (IllegalArgumentException e) {
            throw complaint("transactional " + e.getMessage(), e);
        }
    }

    /** Whether it is one of the methods, by the bean's class, that are told. */
    public boolean isAmong(BiPredicate<Class<?>, Method> methods) {
        return methods.test(type, method);
    }

    /** A sentence about the method. */
    IllegalArgumentException complaint(String rule, @Nullable Throwable cause) {
        return new IllegalArgumentException("@Idempotent on " + name + ": " + rule, cause);
    }

    /** Class and method, for people. */
    public String name() {
        return name;
    }

    public Idempotent annotation() {
        return annotation;
    }

    /** What was called, as a dead letter tells it. */
    String target() {
        return type.getName() + "#" + method.getName();
    }

    String identity() {
        return identity;
    }

    ResultType resultType() {
        return resultType;
    }

    /** The key of a call, or {@code null} if a part of it is missing. */
    @Nullable
    String key(@Nullable Object[] arguments) {
        SpelKeyResolver resolver = Objects.requireNonNull(keyResolver, "checked when the method was prepared");
        Map<Integer, @Nullable Object> byPosition = new HashMap<>();
        for (int position : resolver.parameterIndexes()) {
            byPosition.put(position, arguments[position]);
        }
        return resolver.resolve(byPosition);
    }

    @Override
    public String toString() {
        return identity;
    }
}
