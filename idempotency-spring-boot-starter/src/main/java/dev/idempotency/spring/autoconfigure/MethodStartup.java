// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.spring.method.MethodRegistry;
import dev.idempotency.spring.method.ProtectedMethod;
import dev.idempotency.spring.method.ProtectedMethods;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Checks at start-up that every protected method is protected indeed. */
final class MethodStartup {

    private final MethodRegistry registry;
    private final MethodPostProcessor processor;
    private final ConfigurableListableBeanFactory beans;

    MethodStartup(MethodRegistry registry, MethodPostProcessor processor, ConfigurableListableBeanFactory beans) {
        this.registry = registry;
        this.processor = processor;
        this.beans = beans;
    }

    /**
     * Checks all methods, once all beans are there.
     *
     * @param overHttp the handler methods, by the bean's class, that the servlet filter protects
     */
    void start(BiPredicate<Class<?>, Method> overHttp) {
        addLaterBeans();
        try {
            registry.start(overHttp);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(String.valueOf(e.getMessage()), e);
        }
        for (String name : beans.getSingletonNames()) {
            Object bean = beans.getSingleton(name);
            if (bean != null && !MethodPostProcessor.isProxied(bean)) {
                requireNone(processor.methods(bean), name, overHttp);
            }
        }
    }

    /** Beans that are made only when they are needed have their mistakes told now, too. */
    private void addLaterBeans() {
        for (String name : beans.getBeanDefinitionNames()) {
            if (!beans.containsSingleton(name)
                    && !beans.getMergedBeanDefinition(name).isAbstract()) {
                Class<?> type = beans.getType(name, false);
                ProtectedMethods methods = type == null ? null : processor.methods(type, List.of());
                if (methods != null) {
                    registry.add(methods, name);
                }
            }
        }
    }

    private static void requireNone(
            @Nullable ProtectedMethods methods, String bean, BiPredicate<Class<?>, Method> overHttp) {
        if (methods == null) {
            return;
        }
        for (ProtectedMethod method : methods.all()) {
            if (!method.isAmong(overHttp)) {
                throw new InvalidConfigurationException("@Idempotent on " + method.name() + ": the bean " + bean
                        + " cannot be protected, as it was made before bean post processors were, or not by Spring");
            }
        }
    }

    /** Number of protected methods. */
    int count() {
        return registry.count();
    }

    /** Their bizTypes. */
    Set<String> bizTypes() {
        return registry.bizTypes();
    }

    /** Whether a bean was given the template, whose bizTypes nobody knows before they are used. */
    boolean usesTemplate() {
        return beans.getDependentBeans(MethodIdempotencyAutoConfiguration.TEMPLATE).length > 0;
    }
}
