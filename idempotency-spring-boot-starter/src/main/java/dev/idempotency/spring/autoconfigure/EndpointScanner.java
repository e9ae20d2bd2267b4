// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.Idempotent;
import dev.idempotency.policy.Streaming;
import dev.idempotency.spring.autoconfigure.EndpointPolicies.EndpointPolicy;
import dev.idempotency.spring.identity.ArgumentBinder;
import dev.idempotency.spring.identity.IdentitySettings;
import dev.idempotency.spring.identity.RequestIdentifier;
import dev.idempotency.spring.identity.SpelKeyResolver;
import dev.idempotency.spring.transaction.BusinessTransactions;
import dev.idempotency.spring.web.FailureClassifier;
import dev.idempotency.spring.web.ProtectedEndpoint;
import dev.idempotency.spring.web.ProtectedEndpoints;
import dev.idempotency.spring.web.ProtectedEndpoints.Deliveries;
import dev.idempotency.spring.web.ProtectedEndpoints.HandlerKey;
import dev.idempotency.spring.web.ProtectedEndpoints.Route;
import dev.idempotency.spring.web.Surroundings;
import dev.idempotency.spring.webhook.WebhookSender;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/** Finds every protected endpoint at start-up, and refuses to start over what could only fail later. */
final class EndpointScanner {

    private static final Logger log = LoggerFactory.getLogger(EndpointScanner.class);

    private static final Set<RequestMethod> SAFE =
            Set.of(RequestMethod.GET, RequestMethod.HEAD, RequestMethod.OPTIONS, RequestMethod.TRACE);

    /** By name, as the reactive ones may not be there. */
    private static final Set<String> STREAMING_TYPES = Set.of(
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.SseEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
            "reactor.core.publisher.Flux");

    private static final int MAX_TYPE_DEPTH = 4;

    private final IdempotencyProperties properties;
    private final BusinessTransactions transactions;
    private final EndpointPolicies policies;
    private final IdentitySettings identity;
    private final ArgumentBinder binder;
    private final DeliveryEndpoints deliveries;

    private final Map<HandlerKey, ProtectedEndpoint> handlers = new HashMap<>();
    private final List<PathPattern> patterns = new ArrayList<>();
    private final List<Route> routes = new ArrayList<>();
    private final List<EndpointDescription> descriptions = new ArrayList<>();
    private final Set<String> bizTypes = new TreeSet<>();

    /** Of the application, if it knows no case: what reaches its handlers must not go past its routes. */
    private PathPatternParser routeParser = PathPatternParser.defaultInstance;

    EndpointScanner(
            IdempotencyProperties properties,
            BusinessTransactions transactions,
            FailureClassifier classifier,
            IdentitySettings identity,
            ArgumentBinder binder,
            DeliveryEndpoints deliveries) {
        this.properties = properties;
        this.transactions = transactions;
        this.policies = new EndpointPolicies(properties, transactions, classifier);
        this.identity = identity;
        this.binder = binder;
        this.deliveries = deliveries;
    }

    /** Scans once. */
    ProtectedEndpoints scan(Surroundings surroundings) {
        for (HandlerMapping mapping : surroundings.mappings()) {
            if (mapping instanceof AbstractHandlerMapping configured
                    && configured.getPatternParser() != null
                    && !configured.getPatternParser().isCaseSensitive()) {
                routeParser = configured.getPatternParser();
            }
            if (mapping instanceof RequestMappingInfoHandlerMapping annotated) {
                annotated.getHandlerMethods().forEach((info, handler) -> addHandler(annotated, info, handler));
            }
        }
        for (int i = 0; i < properties.routes().size(); i++) {
            addRoute(properties.routes().get(i), "idempotency.routes[" + i + "]");
        }
        Deliveries others = deliveries.others(this::ownEndpoint);
        deliveries.withoutEndpoint().forEach(sender -> describe(sender, others));
        return new ProtectedEndpoints(surroundings, handlers, patterns, routes, others, routeParser.isCaseSensitive());
    }

    /** The bizTypes of all endpoints, sorted. */
    Set<String> bizTypes() {
        return bizTypes;
    }

    /** All endpoints, as they are shown to operators. */
    List<EndpointDescription> descriptions() {
        return List.copyOf(descriptions);
    }

    /** Whether paths of other case are other paths. */
    boolean isCaseSensitive() {
        return routeParser.isCaseSensitive();
    }

    /** Number of endpoints; what takes a sender's deliveries is one. */
    int count() {
        return handlers.size() + routes.size() + deliveries.withoutEndpoint().size();
    }

    private void addHandler(RequestMappingInfoHandlerMapping mapping, RequestMappingInfo info, HandlerMethod handler) {
        Class<?> type = implementation(handler);
        Method method = ClassUtils.getMostSpecificMethod(handler.getMethod(), type);
        Idempotent onMethod = AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
        Idempotent annotation =
                onMethod != null ? onMethod : AnnotatedElementUtils.findMergedAnnotation(type, Idempotent.class);
        if (annotation == null) {
            return;
        }
        String name = handler.getBeanType().getSimpleName() + "."
                + handler.getMethod().getName();
        Set<RequestMethod> methods = info.getMethodsCondition().getMethods();
        if (!methods.isEmpty() && SAFE.containsAll(methods)) {
            if (onMethod != null) {
                log.warn("@Idempotent on {} has no effect: requests with a safe method are never protected.", name);
            }
            return;
        }
        if (streams(handler)) {
            if (annotation.streaming() == Streaming.REFUSE) {
                throw new InvalidConfigurationException(
                        "@Idempotent on " + name
                                + ": an answer that is streamed cannot be kept; say streaming = BYPASS to leave it unprotected");
            }
            return;
        }
        SpelKeyResolver keyResolver = keyResolver(annotation, handler);
        ProtectedEndpoint endpoint =
                endpoint(otherwise -> policies.annotated(annotation, name, otherwise), keyResolver);
        if (endpoint.policy().transactional()) {
            requireTransaction(type, method, name);
        }
        List<PathPattern> own = patterns(mapping, info);
        deliveries.reached(own, endpoint);
        handlers.put(HandlerKey.of(handler), endpoint);
        patterns.addAll(own);
        Set<String> names = methods.stream().map(RequestMethod::name).collect(Collectors.toCollection(TreeSet::new));
        descriptions.add(new EndpointDescription(name, own, names, endpoint, keyResolver != null));
        bizTypes.add(annotation.bizType());
    }

    private void requireTransaction(Class<?> type, Method method, String name) {
        try {
            if (AsyncTypes.contain(method.getReturnType())) {
                throw new IllegalArgumentException("cannot cover what is completed on another thread");
            }
            transactions.check(type, method);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException("@Idempotent on " + name + ": transactional " + e.getMessage(), e);
        }
    }

    /** The class that was written, also behind a proxy that shows no more than its interfaces. */
    private static Class<?> implementation(HandlerMethod handler) {
        return Proxy.isProxyClass(handler.getBeanType())
                ? AopUtils.getTargetClass(handler.createWithResolvedBean().getBean())
                : handler.getBeanType();
    }

    private static @Nullable SpelKeyResolver keyResolver(Idempotent annotation, HandlerMethod handler) {
        if (annotation.keyResolver().isBlank()) {
            return null;
        }
        try {
            return new SpelKeyResolver(annotation.keyResolver(), handler.getMethod());
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(String.valueOf(e.getMessage()), e);
        }
    }

    private void addRoute(IdempotencyProperties.Route route, String property) {
        if (route.path() == null || route.bizType() == null) {
            throw new InvalidConfigurationException(property + " must have a path and a biz-type");
        }
        try {
            PathPattern pattern = routeParser.parse(route.path());
            Set<String> methods =
                    route.methods().stream().map(name -> method(name, property)).collect(Collectors.toSet());
            String bizType = route.bizType();
            ProtectedEndpoint endpoint =
                    endpoint(otherwise -> policies.named(bizType, property + ".biz-type:", otherwise), null);
            deliveries.reached(List.of(pattern), endpoint);
            routes.add(new Route(pattern, methods, endpoint));
            descriptions.add(
                    new EndpointDescription(property, List.of(pattern), new TreeSet<>(methods), endpoint, false));
            bizTypes.add(bizType);
        } catch (PatternParseException e) {
            throw new InvalidConfigurationException(
                    property + ".path must be a path pattern, but is " + route.path() + " (" + e.getMessage() + ")", e);
        }
    }

    private static String method(String name, String property) {
        String upper = name.toUpperCase(Locale.ROOT);
        RequestMethod known = Stream.of(RequestMethod.values())
                .filter(method -> method.name().equals(upper))
                .findAny()
                .orElse(null);
        if (known == null || SAFE.contains(known)) {
            throw new InvalidConfigurationException(
                    property + ".methods must be among POST, PUT, PATCH and DELETE, but has " + name);
        }
        return upper;
    }

    /**
     * @param policies the endpoint's rules, where those that are given hold for what nobody says
     */
    private ProtectedEndpoint endpoint(
            Function<BizTypeProperties, EndpointPolicy> policies, @Nullable SpelKeyResolver keyResolver) {
        EndpointPolicy policy = policies.apply(BizTypeProperties.NONE);
        return new ProtectedEndpoint(
                policy.policy(),
                policy.missingKey(),
                policy.outcomes(),
                identifier(policy, keyResolver),
                null,
                deliveries.forEach(sender -> delivery(policies, keyResolver, sender)));
    }

    private ProtectedEndpoint delivery(
            Function<BizTypeProperties, EndpointPolicy> policies,
            @Nullable SpelKeyResolver keyResolver,
            WebhookSender sender) {
        EndpointPolicy policy = policies.apply(DeliveryRules.fitting(sender));
        return new ProtectedEndpoint(
                policy.policy(),
                policy.missingKey(),
                policy.outcomes(),
                identifier(policy, keyResolver).forSender(sender.name(), sender.changing()),
                sender.acknowledgement(),
                Map.of());
    }

    /** What takes a sender's deliveries if nothing else does. */
    private ProtectedEndpoint ownEndpoint(WebhookSender sender, String bizType) {
        bizTypes.add(bizType);
        String property = "idempotency.webhook.senders." + sender.name() + ".biz-type:";
        return delivery(otherwise -> policies.named(bizType, property, otherwise), null, sender);
    }

    private void describe(WebhookSender sender, Deliveries others) {
        ProtectedEndpoint own = others.endpoints().get(sender.name());
        if (own != null) {
            String property = "idempotency.webhook.senders." + sender.name();
            descriptions.add(new EndpointDescription(property, sender.paths(), Set.of(), own, false));
        }
    }

    private RequestIdentifier identifier(EndpointPolicy policy, @Nullable SpelKeyResolver keyResolver) {
        try {
            return new RequestIdentifier(
                    policy.policy().bizType(),
                    policy.policy().level(),
                    policy.ignored(),
                    identity,
                    keyResolver,
                    binder);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException("idempotency.business-id: " + e.getMessage(), e);
        }
    }

    private static List<PathPattern> patterns(RequestMappingInfoHandlerMapping mapping, RequestMappingInfo info) {
        if (info.getPathPatternsCondition() != null) {
            return List.copyOf(info.getPathPatternsCondition().getPatterns());
        }
        // Ant patterns match in their own way: every path may be one of theirs, and the handler mapping decides.
        log.debug("{} matches by Ant patterns; every unsafe request is looked up.", mapping);
        return List.of(PathPatternParser.defaultInstance.parse("/**"));
    }

    private static boolean streams(HandlerMethod handler) {
        return streams(ResolvableType.forMethodReturnType(handler.getMethod(), handler.getBeanType()), 0);
    }

    /** A bound on the depth, as a type variable may refer to itself. */
    private static boolean streams(ResolvableType type, int depth) {
        for (Class<?> raw = type.resolve(); raw != null; raw = raw.getSuperclass()) {
            if (STREAMING_TYPES.contains(raw.getName())) {
                return true;
            }
        }
        return depth < MAX_TYPE_DEPTH
                && Stream.of(type.getGenerics()).anyMatch(argument -> streams(argument, depth + 1));
    }

    /** Whether a bean's method is a protected endpoint. */
    boolean isHandler(Class<?> beanType, Method method) {
        return handlers.containsKey(new HandlerKey(beanType, method));
    }

    /**
     * Checks that no bizType of the properties is a mistyped one.
     *
     * @param others bizTypes of what is no endpoint
     * @param mayBeMore whether there may be bizTypes that nobody knows yet
     */
    void requireUsedBizTypes(Set<String> others, boolean mayBeMore) {
        Set<String> used = new TreeSet<>(bizTypes);
        used.addAll(others);
        policies.requireUsed(used, mayBeMore);
    }
}
