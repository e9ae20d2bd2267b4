// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every protected method that a bean has been found to have. What depends on other beans is looked at once the application
 * has started, or when a method is called before that. May be used from any thread.
 */
public final class MethodRegistry {

    private static final Logger log = LoggerFactory.getLogger(MethodRegistry.class);

    private final Function<ProtectedMethod, MethodRules> rules;
    private final Supplier<IdempotentCalls> calls;
    private final Map<ProtectedMethod, Set<String>> beans = new ConcurrentHashMap<>();
    private final Map<ProtectedMethod, MethodCalls> prepared = new ConcurrentHashMap<>();
    private final Set<ProtectedMethod> elsewhere = ConcurrentHashMap.newKeySet();
    private volatile boolean started;

    /**
     * An empty registry.
     *
     * @param rules the rules that the application's settings give a method
     * @param calls asked for only when a method is looked at
     */
    public MethodRegistry(Function<ProtectedMethod, MethodRules> rules, Supplier<IdempotentCalls> calls) {
        this.rules = rules;
        this.calls = calls;
    }

    /**
     * Takes in the methods of a bean.
     *
     * @throws IllegalArgumentException if the application has started and one of them cannot be protected
     */
    public void add(ProtectedMethods methods, String beanName) {
        for (ProtectedMethod method : methods.all()) {
            beans.computeIfAbsent(method, key -> new ConcurrentSkipListSet<>()).add(beanName);
            if (started) {
                prepare(method);
            }
        }
    }

    /**
     * Looks at every method so far.
     *
     * @param protectedElsewhere methods, by the bean's class, whose calls another access layer protects
     * @throws IllegalArgumentException if one cannot be protected; the message is one sentence
     */
    public void start(BiPredicate<Class<?>, Method> protectedElsewhere) {
        beans.forEach((method, names) -> {
            if (method.isAmong(protectedElsewhere)) {
                elsewhere.add(method);
                return;
            }
            prepare(method);
            if (names.size() > 1) {
                log.warn(
                        "{} is a protected method of several beans ({}): calls of any of them with the same key are one"
                                + " operation. If they are not, their classes or keys must differ.",
                        method.name(),
                        String.join(", ", names));
            }
        });
        started = true;
    }

    /** Number of protected methods. */
    public int count() {
        return beans.size() - elsewhere.size();
    }

    /** Their bizTypes, sorted. */
    public Set<String> bizTypes() {
        Set<String> bizTypes = new TreeSet<>();
        for (ProtectedMethod method : beans.keySet()) {
            if (!isElsewhere(method)) {
                bizTypes.add(method.annotation().bizType());
            }
        }
        return bizTypes;
    }

    /** Whether another access layer protects the method's calls. */
    boolean isElsewhere(ProtectedMethod method) {
        return elsewhere.contains(method);
    }

    MethodCalls prepare(ProtectedMethod method) {
        return prepared.computeIfAbsent(method, this::look);
    }

    private MethodCalls look(ProtectedMethod method) {
        method.requireKey();
        MethodRules itsRules = rules.apply(method);
        IdempotentCalls layer = calls.get();
        method.requireValues(itsRules.policy().level(), layer);
        if (itsRules.policy().transactional()) {
            method.requireTransaction(layer.settings().transactions());
        }
        return new MethodCalls(layer, itsRules, method.name(), "method", method.identity(), method.target());
    }
}
