// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.Serial;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodArgumentResolverComposite;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.ServletRequestDataBinderFactory;

/** Binds arguments of a handler method as Spring MVC will bind them, by its own resolvers, before the method is called. */
public final class ArgumentBinder {

    private final Supplier<RequestMappingHandlerAdapter> adapter;

    /**
     * A binder.
     *
     * @param adapter the application's adapter, asked for at the first request
     */
    public ArgumentBinder(Supplier<RequestMappingHandlerAdapter> adapter) {
        this.adapter = adapter;
    }

    /** The arguments could not be bound; the handler will be refused for the same reason. */
    static final class UnboundException extends Exception {

        @Serial
        private static final long serialVersionUID = 1L;

        UnboundException(Exception cause) {
            super(cause);
        }
    }

    /**
     * Binds some arguments.
     *
     * @param indexes positions of the parameters wanted
     * @param request a request whose body may be read to the end
     */
    Map<Integer, @Nullable Object> bind(
            HandlerMethod handler,
            Collection<Integer> indexes,
            HttpServletRequest request,
            HttpServletResponse response)
            throws UnboundException {
        List<HandlerMethodArgumentResolver> mvcResolvers = adapter.get().getArgumentResolvers();
        if (mvcResolvers == null) {
            throw new IllegalStateException("the handler adapter has no argument resolvers yet");
        }
        HandlerMethodArgumentResolverComposite resolvers =
                new HandlerMethodArgumentResolverComposite().addResolvers(mvcResolvers);
        WebDataBinderFactory binders =
                new ServletRequestDataBinderFactory(null, adapter.get().getWebBindingInitializer());
        ServletWebRequest webRequest = new ServletWebRequest(request, response);
        ModelAndViewContainer model = new ModelAndViewContainer();
        DefaultParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
        Map<Integer, @Nullable Object> arguments = new HashMap<>();
        for (int index : indexes) {
            MethodParameter parameter = handler.getMethodParameters()[index];
            parameter.initParameterNameDiscovery(names);
            try {
                arguments.put(index, resolvers.resolveArgument(parameter, model, webRequest, binders));
            } catch (Exception e) {
                throw new UnboundException(e);
            }
        }
        return arguments;
    }
}
