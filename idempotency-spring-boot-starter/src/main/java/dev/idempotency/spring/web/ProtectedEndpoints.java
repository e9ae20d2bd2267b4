// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Every protected endpoint of the application, found once at start-up. A request that no pattern of theirs matches costs
 * one match each; only the others are looked up in Spring MVC's handler mappings.
 */
public final class ProtectedEndpoints {

    private static final Logger log = LoggerFactory.getLogger(ProtectedEndpoints.class);

    private final List<HandlerMapping> mappings;
    private final Map<HandlerKey, ProtectedEndpoint> handlers;
    private final List<PathPattern> handlerPatterns;
    private final List<Route> routes;
    private final boolean caseSensitive;

    /** A handler method as handler mappings know it. */
    public record HandlerKey(Class<?> beanType, Method method) {

        public static HandlerKey of(HandlerMethod handler) {
            return new HandlerKey(handler.getBeanType(), handler.getMethod());
        }
    }

    /**
     * An endpoint that is protected by its path.
     *
     * @param methods HTTP methods in upper case; none for all but the safe ones
     */
    public record Route(PathPattern pattern, Set<String> methods, ProtectedEndpoint endpoint) {}

    /**
     * The endpoints.
     *
     * @param mappings the application's handler mappings in their order
     * @param handlerPatterns every pattern that leads to one of the handlers
     * @param routes in the order in which they are tried, after the handlers
     */
    public ProtectedEndpoints(
            List<HandlerMapping> mappings,
            Map<HandlerKey, ProtectedEndpoint> handlers,
            List<PathPattern> handlerPatterns,
            List<Route> routes,
            boolean caseSensitive) {
        this.mappings = List.copyOf(mappings);
        this.handlers = Map.copyOf(handlers);
        this.handlerPatterns = List.copyOf(handlerPatterns);
        this.routes = List.copyOf(routes);
        this.caseSensitive = caseSensitive;
    }

    /**
     * Finds the protected endpoint that a request will reach. Leaves the request's attributes as the handler mapping set
     * them, which the caller puts back.
     */
    @Nullable
    EndpointMatch find(HttpServletRequest request) {
        PathContainer path = path(request);
        if (handlerPatterns.stream().anyMatch(pattern -> pattern.matches(path))) {
            HandlerExecutionChain chain = lookUp(request);
            if (chain != null && chain.getHandler() instanceof HandlerMethod handler) {
                ProtectedEndpoint endpoint = handlers.get(HandlerKey.of(handler));
                if (endpoint != null) {
                    return new EndpointMatch(endpoint, path, caseSensitive, handler, cors(chain));
                }
            }
        }
        return routed(request, path);
    }

    /** Whether any endpoint could be reached by the request; cheaper than {@link #find} and without side effects. */
    boolean mayContain(HttpServletRequest request) {
        PathContainer path = path(request);
        return handlerPatterns.stream().anyMatch(pattern -> pattern.matches(path))
                || routes.stream().anyMatch(route -> route.pattern().matches(path));
    }

    private @Nullable EndpointMatch routed(HttpServletRequest request, PathContainer path) {
        for (Route route : routes) {
            boolean method = route.methods().isEmpty() || route.methods().contains(request.getMethod());
            if (method && route.pattern().matches(path)) {
                HandlerExecutionChain chain = lookUp(request);
                return new EndpointMatch(
                        route.endpoint(), path, caseSensitive, null, chain == null ? null : cors(chain));
            }
        }
        return null;
    }

    private static PathContainer path(HttpServletRequest request) {
        if (ServletRequestPathUtils.hasParsedRequestPath(request)) {
            return ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication();
        }
        RequestPath parsed = ServletRequestPathUtils.parse(request);
        return parsed.pathWithinApplication();
    }

    private @Nullable HandlerExecutionChain lookUp(HttpServletRequest request) {
        ServletRequestPathUtils.parseAndCache(request);
        try {
            for (HandlerMapping mapping : mappings) {
                HandlerExecutionChain chain = mapping.getHandler(request);
                if (chain != null) {
                    return chain;
                }
            }
        } catch (Exception e) {
            // A 405, 406 or 415, which the dispatcher servlet is about to answer.
            log.debug("No handler takes the request.", e);
        }
        return null;
    }

    private static @Nullable HandlerInterceptor cors(HandlerExecutionChain chain) {
        for (HandlerInterceptor interceptor : chain.getInterceptorList()) {
            if (interceptor instanceof CorsConfigurationSource) {
                return interceptor;
            }
        }
        return null;
    }
}
