// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import dev.idempotency.json.JsonPointer;
import dev.idempotency.json.JsonScan;
import dev.idempotency.json.JsonTokenizer;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.IdempotencyLevel;
import dev.idempotency.spring.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.server.PathContainer;
import org.springframework.web.method.HandlerMethod;

/** Makes the record key and the fingerprint of an endpoint's requests. May be used from any thread. */
public final class RequestIdentifier {

    private static final Logger log = LoggerFactory.getLogger(RequestIdentifier.class);

    private final String bizType;
    private final IdempotencyLevel level;
    private final List<JsonPointer> ignored;
    private final IdentitySettings settings;
    private final BusinessIdSource businessIds;
    private final HttpFingerprint fingerprints;
    private final @Nullable SpelKeyResolver keyResolver;
    private final ArgumentBinder binder;
    private final @Nullable String sender;

    /**
     * An identifier for one endpoint.
     *
     * @param ignored values of JSON bodies that do not count
     * @param keyResolver yields the business id; {@code null} to read it from the request
     * @throws IllegalArgumentException if a place of the business id is malformed
     */
    public RequestIdentifier(
            String bizType,
            IdempotencyLevel level,
            List<JsonPointer> ignored,
            IdentitySettings settings,
            @Nullable SpelKeyResolver keyResolver,
            ArgumentBinder binder) {
        this(bizType, level, ignored, settings, keyResolver, binder, null);
    }

    private RequestIdentifier(
            String bizType,
            IdempotencyLevel level,
            List<JsonPointer> ignored,
            IdentitySettings settings,
            @Nullable SpelKeyResolver keyResolver,
            ArgumentBinder binder,
            @Nullable String sender) {
        this.bizType = bizType;
        this.level = level;
        this.ignored = List.copyOf(ignored);
        this.sender = sender;
        this.settings = settings;
        this.businessIds = new BusinessIdSource(settings.businessId());
        this.keyResolver = keyResolver;
        this.binder = binder;
        JsonTokenizer tokenizer = settings.tokenizer();
        JsonScan scan = tokenizer == null ? null : new JsonScan(tokenizer, ignored, businessIds.pointers());
        this.fingerprints = new HttpFingerprint(level, scan, settings.canonicalJson(), ignored);
    }

    /**
     * The identifier of the same endpoint for what a sender of webhooks delivers: its events' ids are keys of its own, and are
     * always part of the record key.
     *
     * @param changing values of JSON bodies that differ between its attempts
     */
    public RequestIdentifier forSender(String name, List<JsonPointer> changing) {
        List<JsonPointer> all =
                Stream.concat(ignored.stream(), changing.stream()).distinct().toList();
        return new RequestIdentifier(bizType, level, all, settings, keyResolver, binder, name);
    }

    /** A request that has reached its endpoint, with all that identifying it needs. */
    public record Arrival(
            BufferedRequest request,
            HttpServletResponse response,
            PathContainer path,
            boolean caseSensitive,
            @Nullable HandlerMethod handler) {}

    /**
     * Identifies a request.
     *
     * @param key the sender's idempotency key; {@code null} if there is none and the endpoint runs on business ids
     * @throws InvalidRequestException if it cannot be identified
     */
    public RequestIdentity identify(Arrival arrival, @Nullable String key) throws IOException, InvalidRequestException {
        List<String> segments = RequestPaths.segments(arrival.path());
        String path = RequestPaths.join(segments, true) + RequestPaths.parameters(arrival.path());
        HttpFingerprint.Result content = fingerprints.of(arrival.request(), path);
        String businessId = businessId(arrival, key, content);
        if (key == null && (businessId == null || businessId.isBlank())) {
            throw new InvalidRequestException(
                    ProblemType.KEY_MISSING, "The request must carry an idempotency key or a business id.");
        }
        RecordKey recordKey = recordKey(
                arrival.request().getMethod(),
                RequestPaths.join(segments, arrival.caseSensitive()),
                key,
                businessId,
                scope(arrival.request()));
        return new RequestIdentity(recordKey, content.fingerprint());
    }

    /**
     * The record key of a request that somebody describes.
     *
     * @param scope its principal, or its tenant if the application has a resolver
     * @throws IllegalArgumentException if it has neither key nor business id
     */
    public RecordKey recordKeyOf(
            String method,
            PathContainer path,
            boolean caseSensitive,
            @Nullable String key,
            @Nullable String businessId,
            @Nullable String scope) {
        if (key == null && businessId == null) {
            throw new IllegalArgumentException("The request must have an idempotency key or a business id.");
        }
        return recordKey(method, RequestPaths.join(RequestPaths.segments(path), caseSensitive), key, businessId, scope);
    }

    private RecordKey recordKey(
            String method, String path, @Nullable String key, @Nullable String businessId, @Nullable String scope) {
        RecordKey.Builder parts = RecordKey.builder(bizType)
                .part("namespace", settings.namespace())
                .part("data-center", settings.dataCenter())
                .part(settings.tenants() == null ? "principal" : "tenant", scope);
        if (sender != null) {
            parts.part("sender", sender);
        }
        boolean needsBusinessId = key == null || keyResolver != null;
        for (KeyPart part : KeyPart.values()) {
            boolean needed =
                    part == KeyPart.BUSINESS_ID ? needsBusinessId : part == KeyPart.IDEMPOTENCY_KEY && sender != null;
            if (needed || settings.keyParts().contains(part)) {
                parts.part(
                        part.name(),
                        switch (part) {
                            case IDEMPOTENCY_KEY -> key;
                            case BUSINESS_ID -> businessId;
                            case PATH -> path;
                            case METHOD -> method;
                        });
            }
        }
        return parts.build();
    }

    private @Nullable String businessId(Arrival arrival, @Nullable String key, HttpFingerprint.Result content)
            throws IOException, InvalidRequestException {
        if (keyResolver != null) {
            return resolve(keyResolver, arrival, key);
        }
        BusinessIdResolver replacement = settings.businessIds();
        return replacement == null
                ? businessIds.find(content.picked(), arrival.request())
                : replacement.resolve(new BufferedRequest(arrival.request()), bizType);
    }

    private @Nullable String scope(HttpServletRequest request) {
        if (settings.tenants() != null) {
            return settings.tenants().resolve(request);
        }
        Principal principal = request.getUserPrincipal();
        return principal == null ? null : principal.getName();
    }

    /**
     * The business id from the bound arguments. If they cannot be bound, the handler will refuse the request for the same
     * reason; until then it is protected under its key alone.
     */
    private @Nullable String resolve(SpelKeyResolver resolver, Arrival arrival, @Nullable String key)
            throws InvalidRequestException {
        HandlerMethod handler = arrival.handler();
        if (handler == null) {
            throw new IllegalStateException("a keyResolver needs a handler method");
        }
        Map<Integer, @Nullable Object> arguments;
        try {
            arguments = binder.bind(
                    handler, resolver.parameterIndexes(), new BufferedRequest(arrival.request()), arrival.response());
        } catch (ArgumentBinder.UnboundException e) {
            log.debug("The arguments of {} cannot be bound.", handler.getShortLogMessage(), e);
            if (key == null) {
                throw new InvalidRequestException(
                        ProblemType.KEY_MISSING, "The business id cannot be read from the request.");
            }
            return null;
        }
        String businessId = resolver.resolve(arguments);
        if (businessId == null) {
            throw new InvalidRequestException(ProblemType.KEY_MISSING, "The business id of the request is missing.");
        }
        return businessId;
    }
}
