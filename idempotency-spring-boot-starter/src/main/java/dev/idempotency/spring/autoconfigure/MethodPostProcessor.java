// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.spring.method.IdempotentMethodInterceptor;
import dev.idempotency.spring.method.MethodRegistry;
import dev.idempotency.spring.method.ProtectedMethod;
import dev.idempotency.spring.method.ProtectedMethods;
import java.io.Serial;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.SmartClassLoader;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.stereotype.Controller;

/**
 * Gives every bean with protected methods a proxy, or its proxy an advisor. Outside it stands Spring Security, which must have
 * its say about repeats too, and {@code @Async}, which only moves the call to another thread; inside it everything else,
 * transactions above all: a claim is made before a transaction begins, and completed after its commit.
 */
final class MethodPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

    @Serial
    private static final long serialVersionUID = 1L;

    /** After those that make proxies for transactions, before those of {@code @Retryable} (-1) and {@code @Async}. */
    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 10;

    private static final String SECURITY = "org.springframework.security.";

    /** By name, as Spring MVC may not be there. */
    private static final List<String> MAPPINGS = List.of(
            "org.springframework.web.bind.annotation.RequestMapping",
            "org.springframework.web.service.annotation.HttpExchange");

    private final transient MethodRegistry registry;
    private final transient Map<Class<?>, ProtectedMethods> byClass = new ConcurrentHashMap<>();
    private boolean overHttp;

    MethodPostProcessor(MethodRegistry registry) {
        this.registry = registry;
        setProxyTargetClass(true);
        setOrder(ORDER);
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        super.setBeanFactory(beanFactory);
        overHttp = beanFactory.containsBean(WebIdempotencyAutoConfiguration.ENDPOINTS);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        ProtectedMethods methods = methods(bean);
        if (methods == null) {
            return bean;
        }
        try {
            Object proxy = proxy(bean, beanName, methods);
            registry.add(methods, beanName);
            return proxy;
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(String.valueOf(e.getMessage()), e);
        }
    }

    /** The bean's protected methods, or {@code null} if it has none. */
    @Nullable
    ProtectedMethods methods(Object bean) {
        if (bean instanceof AopInfrastructureBean) {
            return null;
        }
        List<Class<?>> further = bean instanceof Advised advised ? List.of(advised.getProxiedInterfaces()) : List.of();
        return methods(AopUtils.getTargetClass(bean), further);
    }

    /** The protected methods of beans of a class, or {@code null} if there are none. */
    @Nullable
    ProtectedMethods methods(Class<?> type, List<Class<?>> further) {
        try {
            ProtectedMethods found = further.stream().allMatch(extra -> extra.isAssignableFrom(type))
                    ? byClass.computeIfAbsent(type, key -> ProtectedMethods.of(key, List.of(), this::isHandler))
                    : ProtectedMethods.of(type, further, this::isHandler);
            return found.isEmpty() ? null : found;
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Whether the servlet filter sees to a method: a controller's handler methods never have a second record. */
    private boolean isHandler(Class<?> type, Method method) {
        if (!overHttp || !AnnotatedElementUtils.hasAnnotation(type, Controller.class)) {
            return false;
        }
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        // On a controller's class the annotation speaks of its handler methods.
        return MAPPINGS.stream().anyMatch(annotations::isPresent)
                || !annotations.isPresent(dev.idempotency.Idempotent.class);
    }

    private Object proxy(Object bean, String beanName, ProtectedMethods methods) {
        Advisor advisor =
                new DefaultPointcutAdvisor(new Calls(methods), new IdempotentMethodInterceptor(methods, registry));
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            requireReachable(methods, AopUtils.isCglibProxy(bean), advised.getProxiedInterfaces());
            advised.addAdvisor(position(advised.getAdvisors()), advisor);
            return bean;
        }
        ProxyFactory factory = prepareProxyFactory(bean, beanName);
        if (Modifier.isFinal(bean.getClass().getModifiers())) {
            factory.setProxyTargetClass(false);
            evaluateProxyInterfaces(bean.getClass(), factory);
            if (factory.isProxyTargetClass()) {
                throw new IllegalArgumentException("@Idempotent on "
                        + methods.all().iterator().next().name()
                        + ": a final class without an interface cannot be protected, as it can have no proxy");
            }
        }
        requireReachable(methods, factory.isProxyTargetClass(), factory.getProxiedInterfaces());
        factory.addAdvisor(advisor);
        ClassLoader loader = getProxyClassLoader();
        if (loader instanceof SmartClassLoader smart
                && loader != bean.getClass().getClassLoader()) {
            loader = smart.getOriginalClassLoader(); // the bean's class is not one of those that are loaded anew
        }
        return factory.getProxy(loader);
    }

    private static void requireReachable(ProtectedMethods methods, boolean byClass, Class<?>[] interfaces) {
        for (ProtectedMethod method : methods.all()) {
            method.requireReachable(byClass, interfaces);
        }
    }

    private static int position(Advisor[] advisors) {
        int position = 0;
        for (int i = 0; i < advisors.length; i++) {
            if (advisors[i].getClass().getName().startsWith(SECURITY)) {
                position = i + 1;
            }
        }
        return position;
    }

    /** Whether calls of a bean with protected methods pass through them. */
    static boolean isProxied(Object bean) {
        if (bean instanceof Advised advised) {
            for (Advisor advisor : advised.getAdvisors()) {
                if (advisor instanceof DefaultPointcutAdvisor
                        && advisor.getAdvice() instanceof IdempotentMethodInterceptor) {
                    return true;
                }
            }
        }
        return false;
    }

    private static final class Calls extends StaticMethodMatcherPointcut {

        private final ProtectedMethods methods;

        Calls(ProtectedMethods methods) {
            this.methods = methods;
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return methods.find(method) != null;
        }
    }
}
