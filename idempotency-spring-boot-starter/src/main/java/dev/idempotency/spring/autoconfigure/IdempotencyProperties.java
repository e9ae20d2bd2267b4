// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.memory.LocallyCachedStore;
import dev.idempotency.spring.hygiene.WeakKeys;
import dev.idempotency.spring.identity.KeyPart;
import dev.idempotency.spring.web.IdempotencyFilter;
import dev.idempotency.store.IdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of idempotency.
 *
 * @param enabled Whether endpoints and methods are protected.
 * @param namespace Name that keeps applications apart which share a store. Default: spring.application.name.
 * @param dataCenter Name of the region, if the same key in another region is to be another operation.
 * @param store Where records are kept. Auto: Redis if the application has a connection to it, else its
 *     database if it has one, otherwise memory.
 * @param headerNames Names of the header that carries the idempotency key; several of them must agree.
 * @param keyParts Parts of the record key. Namespace, data centre, scope and bizType are always in it.
 * @param businessId Places of the business id, the first that has one counts: JSON pointers, or names of JSON members, form
 *     or query parameters.
 * @param replayedHeader Name of the header that marks a replay.
 * @param problemBaseUri Beginning of every problem type.
 * @param documentationUrl Page about this API's idempotency, linked from every problem.
 * @param filterOrder Order of the servlet filter; Spring Security's is -100.
 * @param transactionManager Name of the PlatformTransactionManager bean for what is transactional, if there are several.
 * @param request Limits on requests.
 * @param response Limits on answers.
 * @param fingerprint Which contents are the same.
 * @param defaults Rules of every bizType that says nothing else.
 * @param bizTypes Rules by bizType.
 * @param routeBreaker When failures suspend a whole bizType.
 * @param routes Endpoints that are protected by their path, as they cannot be annotated. A servlet's own path is part of it,
 *     the context path is not.
 * @param memory Settings of the in-memory store.
 * @param redis Settings of the Redis store.
 * @param jdbc Settings of the JDBC store.
 * @param localCache Settings of the cache of finished records in front of a store on the network.
 * @param deadLetters Settings of the dead letters.
 * @param compression Compression of stored answers.
 * @param encryption Encryption of what is stored.
 * @param webhook Settings of webhooks.
 * @param checks What becomes of a ttl or timeout that does not fit a sender's retry schedule.
 * @param weakKeys What becomes of idempotency keys that deserve no trust: constant ones, guessable ones, the time.
 */
@ConfigurationProperties(prefix = "idempotency", ignoreUnknownFields = false)
public record IdempotencyProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String namespace,
        @Nullable String dataCenter,
        @DefaultValue("auto") StoreType store,

        @DefaultValue({"X-Idempotency-Key", "Idempotency-Key"})
        List<String> headerNames,

        @DefaultValue({"idempotency-key", "business-id", "path", "method"})
        Set<KeyPart> keyParts,

        @DefaultValue("order_id") List<String> businessId,
        @DefaultValue("Idempotent-Replayed") String replayedHeader,
        @DefaultValue("urn:idempotency:") String problemBaseUri,
        @Nullable String documentationUrl,
        @DefaultValue("" + IdempotencyFilter.ORDER) int filterOrder,
        @Nullable String transactionManager,
        @DefaultValue Request request,
        @DefaultValue Response response,
        @DefaultValue Fingerprint fingerprint,
        @DefaultValue @NestedConfigurationProperty BizTypeProperties defaults,
        @DefaultValue Map<String, BizTypeProperties> bizTypes,
        @DefaultValue @NestedConfigurationProperty RouteBreakerProperties routeBreaker,
        @DefaultValue List<Route> routes,
        @DefaultValue Memory memory,
        @DefaultValue Redis redis,
        @DefaultValue @NestedConfigurationProperty JdbcProperties jdbc,
        @DefaultValue LocalCache localCache,
        @DefaultValue @NestedConfigurationProperty DeadLetterProperties deadLetters,
        @DefaultValue @NestedConfigurationProperty CompressionProperties compression,
        @DefaultValue @NestedConfigurationProperty EncryptionProperties encryption,
        @DefaultValue @NestedConfigurationProperty WebhookProperties webhook,
        @DefaultValue("warn") Checks checks,
        @DefaultValue("report") WeakKeys weakKeys) {

    public IdempotencyProperties {
        Rule.property("header-names").holds(!headerNames.isEmpty(), "must name at least one header", headerNames);
        for (String name : headerNames) {
            Rule.property("header-names").holds(isToken(name), "must be names of HTTP headers", name);
        }
        Rule.property("replayed-header")
                .holds(isToken(replayedHeader), "must be the name of an HTTP header", replayedHeader);
        Rule.property("key-parts")
                .holds(
                        keyParts.contains(KeyPart.IDEMPOTENCY_KEY) || keyParts.contains(KeyPart.BUSINESS_ID),
                        "must contain idempotency-key or business-id, or all requests share a key",
                        keyParts);
        Rule.property("defaults.route-breaker")
                .holds(
                        defaults.routeBreaker() == null,
                        "must not be set, as idempotency.route-breaker holds for every bizType",
                        defaults.routeBreaker());
        Rule.property("filter-order")
                .holds(
                        filterOrder > Integer.MIN_VALUE || webhook.senders().isEmpty(),
                        "must leave a place before it for the verification of webhooks",
                        filterOrder);
        Rule.property("namespace")
                .holds(
                        namespace == null || (!namespace.isBlank() && namespace.indexOf(':') < 0),
                        "must not be blank nor contain a colon",
                        namespace);
        Rule.property("documentation-url")
                .holds(
                        documentationUrl == null
                                || (!documentationUrl.isEmpty()
                                        && documentationUrl.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '>')),
                        "must be a URL",
                        documentationUrl);
    }

    /** Whether there is a bizType that can be suspended. */
    boolean usesRouteBreaker() {
        return isOn(routeBreaker) || bizTypes.values().stream().anyMatch(rules -> isOn(rules.routeBreaker()));
    }

    private static boolean isOn(@Nullable RouteBreakerProperties breaker) {
        return breaker != null && BreakerLayers.route(List.of(breaker)).isOn();
    }

    /** Whether the text is a token of RFC 9110, section 5.6.2. */
    private static boolean isToken(String text) {
        return !text.isEmpty()
                && text.chars()
                        .allMatch(c -> (Character.isLetterOrDigit(c) && c < 0x80) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
    }

    /** Where records are kept. */
    public enum StoreType {
        AUTO,
        REDIS,
        JDBC,
        MEMORY
    }

    /** What to do about a server that may lose records. */
    public enum Safety {
        /** To say so. */
        WARN,

        /** To stop the start. */
        STRICT,

        /** Not to look. */
        OFF
    }

    /** What becomes of a setting that does not fit. */
    public enum Checks {
        /** It is logged. */
        WARN,

        /** It stops the start. */
        STRICT
    }

    /** How JSON bodies are compared. */
    public enum JsonComparison {
        /** By their values: member order, white space and number notation make no difference. */
        CANONICAL,

        /** By their bytes. */
        RAW
    }

    /**
     * Limits on requests.
     *
     * @param maxSize Most bytes of a protected request's body; a longer one is answered 413.
     */
    public record Request(@DefaultValue("1MB") DataSize maxSize) {

        public Request {
            Rule.property("request.max-size").holds(fits(maxSize), "must be from 1B to 1GB", maxSize);
        }
    }

    /**
     * Limits on answers.
     *
     * @param maxSize Most bytes of an answer or a method's result that is kept; a longer one is given whole, and its
     *     repeats are refused.
     */
    public record Response(@DefaultValue("256KB") DataSize maxSize) {

        public Response {
            Rule.property("response.max-size").holds(fits(maxSize), "must be from 1B to 1GB", maxSize);
        }
    }

    private static boolean fits(DataSize size) {
        return size.toBytes() >= 1 && size.toBytes() <= DataSize.ofGigabytes(1).toBytes();
    }

    /**
     * Which contents are the same.
     *
     * @param json How JSON bodies are compared.
     * @param ignore JSON pointers of values that senders change between retries, such as /retry_attempt.
     */
    public record Fingerprint(
            @DefaultValue("canonical") JsonComparison json,
            @DefaultValue List<String> ignore) {}

    /**
     * An endpoint that is protected by its path.
     *
     * @param path Path pattern within the application, such as /legacy/orders/{id}.
     * @param methods HTTP methods; empty for all but the safe ones.
     * @param bizType BizType of the endpoint.
     */
    public record Route(
            @Nullable String path,
            @DefaultValue Set<String> methods,
            @Nullable String bizType) {}

    /**
     * Settings of the in-memory store.
     *
     * @param maxSize Most bytes of heap for records, approximately. A full store refuses new requests.
     */
    public record Memory(@DefaultValue("64MB") DataSize maxSize) {

        public Memory {
            Rule.property("memory.max-size").holds(maxSize.toBytes() >= 1, "must be positive", maxSize);
        }

        InMemoryIdempotencyStore newStore() {
            return new InMemoryIdempotencyStore(maxSize.toBytes());
        }
    }

    /**
     * Settings of the Redis store.
     *
     * @param keyPrefix Beginning of every key.
     * @param commandTimeout How long a command may take before the store counts as unavailable.
     * @param connectionFactory Name of the RedisConnectionFactory bean to use, if there are several.
     * @param waitReplicas How many replicas must have a claim or an end before it counts. With fewer, requests are refused.
     * @param waitTimeout How long to wait for replicas, beside the command time-out.
     * @param safety What to do at start-up about a server that may lose records: evict them, or forget them in a crash.
     */
    public record Redis(
            @DefaultValue("idempotency") String keyPrefix,
            @DefaultValue("500ms") Duration commandTimeout,
            @Nullable String connectionFactory,
            @DefaultValue("0") int waitReplicas,
            @DefaultValue("200ms") Duration waitTimeout,
            @DefaultValue("warn") Safety safety) {

        public Redis {
            Rule.property("redis.key-prefix").holds(!keyPrefix.isBlank(), "must not be blank", keyPrefix);
            Rule.property("redis.command-timeout")
                    .holds(
                            !commandTimeout.isNegative() && !commandTimeout.isZero(),
                            "must be positive",
                            commandTimeout);
            Rule.property("redis.wait-replicas").holds(waitReplicas >= 0, "must not be negative", waitReplicas);
            Rule.property("redis.wait-timeout").holds(waitTimeout.toMillis() >= 1, "must be at least 1ms", waitTimeout);
        }
    }

    /**
     * Settings of the cache of finished records in front of a store on the network.
     *
     * @param maxSize Most bytes of heap for it, approximately. 0 switches it off.
     */
    public record LocalCache(@DefaultValue("16MB") DataSize maxSize) {

        public LocalCache {
            Rule.property("local-cache.max-size").holds(!maxSize.isNegative(), "must not be negative", maxSize);
        }

        /** The store in its encoding, behind the cache if there is one: what is cached is ready to be given again. */
        IdempotencyStore before(IdempotencyStore store, IdempotencyStore encoding) {
            return maxSize.toBytes() == 0 || store instanceof InMemoryIdempotencyStore
                    ? encoding
                    : new LocallyCachedStore(encoding, maxSize.toBytes());
        }
    }
}
