// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/**
 * Protects a piece of code without an annotation, as {@code @Idempotent} protects a method:
 *
 * <pre>{@code
 * Refund refund = template.operation("refund", refundId)
 *         .with(orderId, amount)
 *         .call(Refund.class, () -> payments.refund(orderId, amount));
 * }</pre>
 *
 * <p>An operation is known by its bizType and its key; the code itself has no part in it. May be used from any thread.
 */
public final class IdempotencyTemplate {

    private static final Object[] NOTHING = {};

    private final @Nullable IdempotentCalls calls;
    private final Function<String, MethodRules> rules;
    private final Map<String, MethodCalls> byBizType = new ConcurrentHashMap<>();
    private final Map<Type, ResultType> resultTypes = new ConcurrentHashMap<>();

    /**
     * A template.
     *
     * @param calls runs the code; {@code null} to run it unprotected, where idempotency is switched off
     * @param rules the rules of a bizType
     */
    public IdempotencyTemplate(@Nullable IdempotentCalls calls, Function<String, MethodRules> rules) {
        this.calls = calls;
        this.rules = rules;
    }

    /** Code that returns something. */
    @FunctionalInterface
    public interface Code<T extends @Nullable Object, E extends Exception> {

        T call() throws E;
    }

    /** Code that returns nothing. */
    @FunctionalInterface
    public interface Action<E extends Exception> {

        void run() throws E;
    }

    /**
     * An operation to be run.
     *
     * @param bizType what the kind of operation is called; its rules are {@code idempotency.biz-types.<name>}
     * @param key what tells it from others of its kind; a call without one is refused
     */
    public Operation operation(String bizType, @Nullable String key) {
        return new Operation(bizType, key, NOTHING);
    }

    /** An operation with its key and content. Immutable. */
    public final class Operation {

        private final String bizType;
        private final @Nullable String key;
        private final @Nullable Object[] content;

        private Operation(String bizType, @Nullable String key, @Nullable Object[] content) {
            this.bizType = bizType;
            this.key = key;
            this.content = content;
        }

        /** The same with what a repeat must agree in; written as JSON. Without it, the key decides alone. */
        public Operation with(@Nullable Object... content) {
            return new Operation(bizType, key, content.clone());
        }

        /**
         * Runs the code, or gives the first run's result again.
         *
         * @param type what it returns, and what a kept result is read as
         * @throws dev.idempotency.IdempotencyException if the call is refused
         */
        public <T extends @Nullable Object, E extends Exception> T call(Class<T> type, Code<T, E> code) throws E {
            return run(type, code);
        }

        /** As {@link #call(Class, Code)}, for a type with type arguments. */
        public <T extends @Nullable Object, E extends Exception> T call(
                ParameterizedTypeReference<T> type, Code<T, E> code) throws E {
            return run(type.getType(), code);
        }

        /** Runs the code, or does nothing if it has been run. */
        @SuppressWarnings("NullAway") // does not know that a lambda of this type may return null
        public <E extends Exception> void run(Action<E> action) throws E {
            Code<@Nullable Object, E> code = () -> {
                action.run();
                return null;
            };
            run(void.class, code);
        }

        @SuppressWarnings({"unchecked", "NullAway"}) // a result is null only if the code's own may be
        private <T extends @Nullable Object, E extends Exception> T run(Type type, Code<T, E> code) throws E {
            if (calls == null) {
                return code.call();
            }
            try {
                return (T) kind(calls, bizType).call(key, content, resultType(calls, type), code::call);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw (E) e; // the code throws nothing else that is checked
            }
        }
    }

    private MethodCalls kind(IdempotentCalls layer, String bizType) {
        return byBizType.computeIfAbsent(
                bizType, name -> new MethodCalls(layer, rules.apply(name), name, "template", "", name));
    }

    private ResultType resultType(IdempotentCalls layer, Type declared) {
        return resultTypes.computeIfAbsent(declared, type -> {
            try {
                ResultType resultType = ResultType.of(type);
                resultType.check(layer.codec());
                return resultType;
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("the type of an operation's result " + e.getMessage(), e);
            }
        });
    }
}
