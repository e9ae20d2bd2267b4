// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Protects the calls of a bean's methods; those of other methods pass. May be used from any thread. */
public final class IdempotentMethodInterceptor implements MethodInterceptor {

    private final ProtectedMethods methods;
    private final MethodRegistry registry;

    public IdempotentMethodInterceptor(ProtectedMethods methods, MethodRegistry registry) {
        this.methods = methods;
        this.registry = registry;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        ProtectedMethod method = methods.find(invocation.getMethod());
        if (method == null || registry.isElsewhere(method)) {
            return invocation.proceed();
        }
        MethodCalls calls = registry.prepare(method);
        @Nullable Object[] arguments = invocation.getArguments();
        return calls.call(method.key(arguments), arguments, method.resultType(), invocation::proceed);
    }
}
