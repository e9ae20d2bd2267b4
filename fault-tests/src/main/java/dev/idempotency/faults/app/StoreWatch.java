// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.TransactionParticipant;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Stands before the library's store and dead-letter queue, whatever methods those have: holds calls up on their way, and
 * tells what came of each step.
 */
final class StoreWatch implements BeanPostProcessor {

    private final StoreSteps steps;

    StoreWatch(StoreSteps steps) {
        this.steps = steps;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof IdempotencyStore store) {
            return watch(store, (proxy, method, arguments) -> store(store, method, arguments));
        }
        if (bean instanceof DeadLetterQueue queue) {
            return watch(queue, (proxy, method, arguments) -> letters(queue, method, arguments));
        }
        return bean;
    }

    private static Object watch(Object bean, InvocationHandler handler) {
        return Proxy.newProxyInstance(bean.getClass().getClassLoader(), ClassUtils.getAllInterfaces(bean), handler);
    }

    private @Nullable Object store(IdempotencyStore store, Method method, Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "claim" -> steps.claim(first(arguments), () -> invoke(store, method, arguments));
            case "complete" -> steps.complete(arguments, () -> invoke(store, method, arguments));
            case "transactionParticipant" ->
                invoke(store, method, arguments) instanceof TransactionParticipant participant
                        ? watch(participant, (proxy, own, with) -> joined(participant, own, with))
                        : null;
            default -> invoke(store, method, arguments);
        };
    }

    private @Nullable Object joined(TransactionParticipant participant, Method method, Object @Nullable [] arguments)
            throws Throwable {
        return method.getName().equals("complete")
                ? steps.join(arguments, () -> invoke(participant, method, arguments))
                : invoke(participant, method, arguments);
    }

    private @Nullable Object letters(DeadLetterQueue queue, Method method, Object @Nullable [] arguments)
            throws Throwable {
        Object result = invoke(queue, method, arguments);
        Object letter = first(arguments);
        if (method.getName().equals("park") && letter != null) {
            steps.parked(field(letter, "key", RecordKey.class), field(letter, "reason", DeadLetterReason.class));
        }
        return result;
    }

    private static <T> T field(Object letter, String name, Class<T> type) throws ReflectiveOperationException {
        return type.cast(letter.getClass().getMethod(name).invoke(letter));
    }

    private static @Nullable Object first(Object @Nullable [] arguments) {
        return arguments == null ? null : Arrays.asList(arguments).get(0);
    }

    private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
