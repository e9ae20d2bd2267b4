// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import dev.idempotency.Idempotent;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * The protected methods of one class of beans: those annotated themselves, and the public ones that the annotated class, or a
 * subclass of it, declares. May be used from any thread.
 */
public final class ProtectedMethods {

    private static final Logger log = LoggerFactory.getLogger(ProtectedMethods.class);

    private final Class<?> type;
    private final Map<Method, ProtectedMethod> methods = new HashMap<>();
    private final Map<Method, Optional<ProtectedMethod>> byCalledMethod = new ConcurrentHashMap<>();

    private ProtectedMethods(Class<?> type) {
        this.type = type;
    }

    /**
     * Finds the protected methods.
     *
     * @param beanClass the class behind the bean's proxy, if it has one
     * @param further interfaces that the bean has though its class does not implement them
     * @param elsewhere methods, by class, that another access layer protects
     * @throws IllegalArgumentException if one of them cannot be protected; the message is one sentence
     */
    public static ProtectedMethods of(
            Class<?> beanClass, List<Class<?>> further, BiPredicate<Class<?>, Method> elsewhere) {
        Class<?> type = ClassUtils.getUserClass(beanClass);
        ProtectedMethods found = new ProtectedMethods(type);
        found.scan(type, elsewhere);
        for (Class<?> extra : further) {
            if (!extra.isAssignableFrom(type)) {
                found.scan(extra, elsewhere);
            }
        }
        found.warnOfSelfInvocations();
        return found;
    }

    private void scan(Class<?> scanned, BiPredicate<Class<?>, Method> elsewhere) {
        if (!AnnotationUtils.isCandidateClass(scanned, Idempotent.class)) {
            return;
        }
        MergedAnnotation<Idempotent> onClass =
                annotation(MergedAnnotations.from(scanned, SearchStrategy.TYPE_HIERARCHY));
        Map<Method, MergedAnnotation<Idempotent>> annotated;
        try {
            annotated = MethodIntrospector.selectMethods(scanned, (Method method) -> annotation(method, onClass));
        } catch (IllegalStateException | LinkageError e) { // a class that names types which are not there
            log.debug("{} cannot be searched for @Idempotent.", scanned, e);
            return;
        }
        annotated.forEach((method, annotation) -> {
            if (!elsewhere.test(scanned, method)) {
                Method declared = annotation.getSource() instanceof Method source ? source : method;
                methods.put(method, new ProtectedMethod(type, method, declared, annotation.synthesize()));
            }
        });
    }

    private static @Nullable MergedAnnotation<Idempotent> annotation(
            Method method, MergedAnnotation<Idempotent> onClass) {
        MergedAnnotation<Idempotent> own = annotation(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY));
        if (own.isPresent()) {
            return own;
        }
        return onClass.isPresent() && isMeant(method, onClass.getSource()) ? onClass : null;
    }

    private static MergedAnnotation<Idempotent> annotation(MergedAnnotations annotations) {
        return annotations.get(Idempotent.class);
    }

    /** Whether an annotation on a class is meant for a method: not for what the container calls, nor for what it inherits. */
    private static boolean isMeant(Method method, @Nullable Object annotated) {
        int modifiers = method.getModifiers();
        if (!(annotated instanceof Class<?> owner) || !Modifier.isPublic(modifiers) || Modifier.isStatic(modifiers)) {
            return false;
        }
        boolean ofOwner =
                owner.isInterface() ? hasMethod(owner, method) : owner.isAssignableFrom(method.getDeclaringClass());
        return ofOwner && !isObjectMethod(method) && !isCallback(method);
    }

    private static boolean hasMethod(Class<?> type, Method method) {
        return Stream.of(type.getMethods())
                .anyMatch(candidate -> candidate.getName().equals(method.getName())
                        && candidate.getParameterCount() == method.getParameterCount());
    }

    private static boolean isObjectMethod(Method method) {
        return hasMethod(Object.class, method);
    }

    private static boolean isCallback(Method method) {
        for (Annotation annotation : method.getAnnotations()) {
            String name = annotation.annotationType().getName();
            if (name.equals("jakarta.annotation.PostConstruct") || name.equals("jakarta.annotation.PreDestroy")) {
                return true;
            }
        }
        return ClassUtils.getAllInterfacesForClassAsSet(method.getDeclaringClass()).stream()
                .filter(type -> type.getName().startsWith("org.springframework.beans.")
                        || type.getName().startsWith("org.springframework.context.")
                        || type == AutoCloseable.class)
                .anyMatch(type -> hasMethod(type, method));
    }

    private void warnOfSelfInvocations() {
        SelfInvocations.of(type, methods.keySet())
                .forEach((callee, callers) -> log.warn(
                        "@Idempotent on {}.{} does not protect the calls within the same object, which no proxy sees; it is"
                                + " called so by {}. Call it through another bean, or use IdempotencyTemplate.",
                        type.getSimpleName(),
                        callee,
                        String.join(", ", callers)));
    }

    /** The class that they belong to. */
    public Class<?> type() {
        return type;
    }

    public boolean isEmpty() {
        return methods.isEmpty();
    }

    public Collection<ProtectedMethod> all() {
        return methods.values();
    }

    /** The protected method that a call of a method reaches, if it is one. */
    public @Nullable ProtectedMethod find(Method called) {
        ProtectedMethod found = methods.get(called);
        if (found != null) {
            return found;
        }
        return byCalledMethod
                .computeIfAbsent(
                        called,
                        method -> Optional.ofNullable(methods.get(AopUtils.getMostSpecificMethod(method, type))))
                .orElse(null);
    }
}
