// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.Idempotent;
import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.json.JsonPointer;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.policy.MissingKey;
import dev.idempotency.spring.web.StatusSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.convert.DurationStyle;

/**
 * Combines what is said of an endpoint: the annotation's own attributes, then the bizType's properties, then the defaults'
 * properties, then ours.
 */
final class EndpointPolicies {

    private static final Logger log = LoggerFactory.getLogger(EndpointPolicies.class);

    private static final List<String> REPLAY_STATUSES = List.of("2xx", "3xx");

    private final BizTypeProperties defaults;
    private final Map<String, BizTypeProperties> bizTypes;
    private final List<String> ignore;

    /** Checks every bizType that the properties name. */
    EndpointPolicies(IdempotencyProperties properties) {
        this.defaults = properties.defaults();
        this.bizTypes = properties.bizTypes();
        this.ignore = properties.fingerprint().ignore();
        resolve("default", null, "idempotency.defaults");
        bizTypes.keySet().forEach(this::route);
    }

    /** The rules of one endpoint. */
    record EndpointPolicy(
            IdempotencyPolicy policy, MissingKey missingKey, StatusSet replayStatuses, List<JsonPointer> ignored) {}

    /** The rules of an endpoint that is protected by its path. */
    EndpointPolicy route(String bizType) {
        return resolve(bizType, null, "idempotency.biz-types." + bizType);
    }

    /**
     * The rules of an annotated endpoint.
     *
     * @param endpoint what to call it in a complaint
     */
    EndpointPolicy annotated(Idempotent annotation, String endpoint) {
        boolean inProperties = bizTypes.containsKey(annotation.bizType());
        boolean durationsHere =
                annotation.timeoutSeconds() != 0 || !annotation.ttl().isEmpty();
        String where = durationsHere || !inProperties
                ? "@Idempotent on " + endpoint + ":"
                : "idempotency.biz-types." + annotation.bizType();
        return resolve(annotation.bizType(), annotation, where);
    }

    /**
     * Checks that every bizType that the properties name is one that is used.
     *
     * @param mayBeMore whether there may be others that nobody knows yet; then it is no more than a warning
     */
    void requireUsed(Set<String> used, boolean mayBeMore) {
        for (String name : bizTypes.keySet()) {
            if (used.contains(name)) {
                continue;
            }
            String complaint = "idempotency.biz-types." + name
                    + " must be the bizType of an endpoint or method, but those are " + used;
            if (!mayBeMore) {
                throw new InvalidConfigurationException(complaint);
            }
            log.warn("{}; it has an effect only if IdempotencyTemplate is used with it.", complaint);
        }
    }

    private EndpointPolicy resolve(String bizType, @Nullable Idempotent annotation, String where) {
        BizTypeProperties own = bizTypes.getOrDefault(bizType, BizTypeProperties.NONE);
        try {
            IdempotencyPolicy ours = IdempotencyPolicy.defaults(bizType);
            IdempotencyPolicy policy = new IdempotencyPolicy(
                    bizType,
                    first(annotation == null ? null : ttl(annotation), own, BizTypeProperties::ttl, ours.ttl()),
                    first(
                            annotation == null ? null : timeout(annotation),
                            own,
                            BizTypeProperties::timeout,
                            ours.lease()),
                    first(attribute(annotation, Idempotent::level), own, BizTypeProperties::level, ours.level()),
                    first(
                            attribute(annotation, Idempotent::onDuplicate),
                            own,
                            BizTypeProperties::onDuplicate,
                            ours.onDuplicate()),
                    first(null, own, BizTypeProperties::waitTimeout, ours.waitTimeout()),
                    first(
                            attribute(annotation, Idempotent::onCompleted),
                            own,
                            BizTypeProperties::onCompleted,
                            ours.onCompleted()),
                    first(
                            attribute(annotation, Idempotent::onOrphan),
                            own,
                            BizTypeProperties::onOrphan,
                            ours.onOrphan()),
                    first(
                            attribute(annotation, Idempotent::storeFailure),
                            own,
                            BizTypeProperties::storeFailure,
                            ours.storeFailure()),
                    breaker(own));
            MissingKey missingKey = first(
                    attribute(annotation, Idempotent::missingKey),
                    own,
                    BizTypeProperties::missingKey,
                    MissingKey.REJECT);
            List<String> statuses = first(null, own, BizTypeProperties::replayStatuses, REPLAY_STATUSES);
            return new EndpointPolicy(policy, missingKey, new StatusSet(statuses), ignored(own));
        } catch (IllegalArgumentException e) {
            String separator = where.endsWith(":") ? " " : ".";
            throw new InvalidConfigurationException(where + separator + e.getMessage(), e);
        }
    }

    private <T> T first(
            @Nullable T attribute, BizTypeProperties own, Function<BizTypeProperties, @Nullable T> property, T ours) {
        if (attribute != null) {
            return attribute;
        }
        T ownValue = property.apply(own);
        if (ownValue != null) {
            return ownValue;
        }
        T defaultValue = property.apply(defaults);
        return defaultValue == null ? ours : defaultValue;
    }

    private BreakerPolicy breaker(BizTypeProperties own) {
        BreakerPolicy ours = BreakerPolicy.DEFAULT;
        return new BreakerPolicy(
                first(
                        null,
                        own,
                        rules ->
                                rules.breaker() == null ? null : rules.breaker().failures(),
                        ours.failures()),
                first(
                        null,
                        own,
                        rules ->
                                rules.breaker() == null ? null : rules.breaker().window(),
                        ours.window()),
                first(
                        null,
                        own,
                        rules ->
                                rules.breaker() == null ? null : rules.breaker().cooldown(),
                        ours.cooldown()));
    }

    private List<JsonPointer> ignored(BizTypeProperties own) {
        List<String> pointers = first(
                null,
                own,
                rules ->
                        rules.fingerprint() == null ? null : rules.fingerprint().ignore(),
                ignore);
        try {
            return pointers.stream().map(JsonPointer::parse).toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("fingerprint.ignore: " + e.getMessage(), e);
        }
    }

    private static <T> @Nullable T attribute(@Nullable Idempotent annotation, Function<Idempotent, T[]> attribute) {
        if (annotation == null) {
            return null;
        }
        T[] values = attribute.apply(annotation);
        if (values.length > 1) {
            throw new IllegalArgumentException("an attribute must have one value, but has " + List.of(values));
        }
        return values.length == 0 ? null : values[0];
    }

    private static @Nullable Duration timeout(Idempotent annotation) {
        if (annotation.timeoutSeconds() < 0) {
            throw new IllegalArgumentException(
                    "timeoutSeconds must not be negative, but is " + annotation.timeoutSeconds());
        }
        return annotation.timeoutSeconds() == 0 ? null : Duration.ofSeconds(annotation.timeoutSeconds());
    }

    private static @Nullable Duration ttl(Idempotent annotation) {
        if (annotation.ttl().isEmpty()) {
            return null;
        }
        try {
            return DurationStyle.detectAndParse(annotation.ttl());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "ttl must be a duration such as 30m, but is '" + annotation.ttl() + "'", e);
        }
    }
}
