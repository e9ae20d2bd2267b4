// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import dev.idempotency.spring.webhook.VerifiedDelivery;
import dev.idempotency.spring.webhook.WebhookSenders;
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
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Every protected endpoint of the application, found once at start-up. A request that no pattern of theirs matches costs
 * one match each; only the others are looked up in Spring MVC's handler mappings.
 */
public final class ProtectedEndpoints {

    private static final PathContainer.Options DECODED = PathContainer.Options.create('/', false);
    private static final Logger log = LoggerFactory.getLogger(ProtectedEndpoints.class);

    private final Surroundings surroundings;
    private final Map<HandlerKey, ProtectedEndpoint> handlers;
    private final List<PathPattern> handlerPatterns;
    private final List<Route> routes;
    private final Deliveries deliveries;
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
     * What senders of webhooks have besides.
     *
     * @param senders all of them
     * @param endpoints where their deliveries go if no other endpoint takes them, by the sender's name
     */
    public record Deliveries(WebhookSenders senders, Map<String, ProtectedEndpoint> endpoints) {

        /** No webhooks at all. */
        public static final Deliveries NONE = new Deliveries(new WebhookSenders(List.of()), Map.of());

        public Deliveries {
            endpoints = Map.copyOf(endpoints);
        }

        @Nullable
        ProtectedEndpoint of(@Nullable VerifiedDelivery delivery) {
            return delivery == null ? null : endpoints.get(delivery.sender());
        }
    }

    /**
     * The endpoints.
     *
     * @param handlerPatterns every pattern that leads to one of the handlers
     * @param routes in the order in which they are tried, after the handlers; their patterns are of paths within the web
     *     application, that of a servlet included
     */
    public ProtectedEndpoints(
            Surroundings surroundings,
            Map<HandlerKey, ProtectedEndpoint> handlers,
            List<PathPattern> handlerPatterns,
            List<Route> routes,
            Deliveries deliveries,
            boolean caseSensitive) {
        this.surroundings = surroundings;
        this.handlers = Map.copyOf(handlers);
        this.handlerPatterns = List.copyOf(handlerPatterns);
        this.routes = List.copyOf(routes);
        this.deliveries = deliveries;
        this.caseSensitive = caseSensitive;
    }

    /**
     * Finds the protected endpoint that a request will reach. Leaves the request's attributes as the handler mapping set
     * them, which the caller puts back.
     */
    @Nullable
    EndpointMatch find(HttpServletRequest request) {
        VerifiedDelivery delivery = VerifiedDelivery.of(request);
        if (mayHandle(request)) {
            HandlerExecutionChain chain = lookUp(request);
            if (chain != null && chain.getHandler() instanceof HandlerMethod handler) {
                ProtectedEndpoint endpoint = handlers.get(HandlerKey.of(handler));
                if (endpoint != null) {
                    return match(endpoint.of(delivery), path(request), handler, chain);
                }
            }
        }
        Route route = route(request);
        ProtectedEndpoint endpoint =
                route == null ? deliveries.of(delivery) : route.endpoint().of(delivery);
        return endpoint == null ? null : match(endpoint, containersPath(request), null, lookUp(request));
    }

    /**
     * Whether any endpoint could be reached by the request; cheaper than {@link #find} and without side effects. Before its
     * sender has been verified, a webhook reaches none.
     */
    boolean mayContain(HttpServletRequest request) {
        boolean known =
                mayHandle(request) || route(request) != null || deliveries.of(VerifiedDelivery.of(request)) != null;
        return known && !deliveries.senders().isUnverified(request);
    }

    /** Whether the container takes a multipart body apart for the servlet that the request will reach. */
    boolean takesParts(HttpServletRequest request) {
        return !surroundings
                .servletsWithoutParts()
                .contains(request.getHttpServletMapping().getServletName());
    }

    private boolean mayHandle(HttpServletRequest request) {
        if (handlerPatterns.isEmpty()) {
            return false;
        }
        PathContainer path;
        try {
            path = ServletRequestPathUtils.hasParsedRequestPath(request)
                    ? ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication()
                    : ServletRequestPathUtils.parse(request).pathWithinApplication();
        } catch (IllegalArgumentException e) {
            // A spelling of the servlet's path that the dispatcher servlet takes no more than this.
            return false;
        }
        return handlerPatterns.stream().anyMatch(pattern -> pattern.matches(path));
    }

    private @Nullable Route route(HttpServletRequest request) {
        if (routes.isEmpty()) {
            return null;
        }
        PathContainer path = containersPath(request);
        for (Route route : routes) {
            boolean method = route.methods().isEmpty() || route.methods().contains(request.getMethod());
            if (method && route.pattern().matches(path)) {
                return route;
            }
        }
        return null;
    }

    /** The path within the web application; unlike Spring MVC's it tells the servlets of the application apart. */
    private static PathContainer path(HttpServletRequest request) {
        return RequestPath.parse(request.getRequestURI(), request.getContextPath())
                .pathWithinApplication();
    }

    /**
     * The path by which the container has chosen the servlet: decoded, without dot segments, doubled slashes and path
     * parameters, and here without a trailing slash. Whatever spelling reaches a servlet is the same path.
     */
    private static PathContainer containersPath(HttpServletRequest request) {
        String pathInfo = request.getPathInfo();
        String path = pathInfo == null ? request.getServletPath() : request.getServletPath() + pathInfo;
        boolean trailing = path.length() > 1 && path.endsWith("/");
        return PathContainer.parsePath(trailing ? path.substring(0, path.length() - 1) : path, DECODED);
    }

    private EndpointMatch match(
            ProtectedEndpoint endpoint,
            PathContainer path,
            @Nullable HandlerMethod handler,
            @Nullable HandlerExecutionChain chain) {
        CorsGate cors = new CorsGate(surroundings.corsFilters(), chain == null ? null : interceptor(chain));
        return new EndpointMatch(endpoint, path, caseSensitive, handler, cors);
    }

    private @Nullable HandlerExecutionChain lookUp(HttpServletRequest request) {
        try {
            ServletRequestPathUtils.parseAndCache(request);
            for (HandlerMapping mapping : surroundings.mappings()) {
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

    /** Static files take every path and no POST: where they are found, something else answers, without Spring MVC's CORS. */
    private static @Nullable HandlerInterceptor interceptor(HandlerExecutionChain chain) {
        if (chain.getHandler() instanceof ResourceHttpRequestHandler) {
            return null;
        }
        for (HandlerInterceptor interceptor : chain.getInterceptorList()) {
            if (interceptor instanceof CorsConfigurationSource) {
                return interceptor;
            }
        }
        return null;
    }
}
