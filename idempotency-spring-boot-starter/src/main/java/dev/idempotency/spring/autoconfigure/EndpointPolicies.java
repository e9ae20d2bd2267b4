// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.Idempotent;
import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.RoutePolicy;
import dev.idempotency.event.AttemptEnd;
import dev.idempotency.json.JsonPointer;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.policy.MissingKey;
import dev.idempotency.spring.transaction.BusinessTransactions;
import dev.idempotency.spring.web.FailureClassifier;
import dev.idempotency.spring.web.FailureClassifier.Attempt;
import dev.idempotency.spring.web.OutcomeRules;
import dev.idempotency.spring.web.StatusSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
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
    private final RouteBreakerProperties routeBreaker;
    private final List<JsonPointer> ignore;
    private final FailureClassifier classifier;
    private final BusinessTransactions transactions;

    /** Checks the properties that hold for every bizType. */
    EndpointPolicies(IdempotencyProperties properties, BusinessTransactions transactions) {
        this(properties, transactions, Attempt::byPolicy);
    }

    EndpointPolicies(
            IdempotencyProperties properties, BusinessTransactions transactions, FailureClassifier classifier) {
        this.transactions = transactions;
        this.classifier = classifier;
        this.defaults = properties.defaults();
        this.bizTypes = properties.bizTypes();
        this.routeBreaker = properties.routeBreaker();
        try {
            BreakerLayers.route(List.of(routeBreaker));
            this.ignore = pointers(properties.fingerprint().ignore());
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException("idempotency." + e.getMessage(), e);
        }
        resolve("default", List.of(defaults), "idempotency.defaults.");
    }

    /** The rules of one endpoint. */
    record EndpointPolicy(
            IdempotencyPolicy policy, MissingKey missingKey, OutcomeRules outcomes, List<JsonPointer> ignored) {}

    /**
     * The rules of what is protected without an annotation: by its path, or by code.
     *
     * @param property where its bizType is named
     */
    EndpointPolicy named(String bizType, String property) {
        return named(bizType, property, BizTypeProperties.NONE);
    }

    /**
     * The same.
     *
     * @param otherwise what holds where nothing is said, before our own defaults
     */
    EndpointPolicy named(String bizType, String property, BizTypeProperties otherwise) {
        requireBizType(bizType, property);
        return resolve(bizType, List.of(own(bizType), defaults, otherwise), "idempotency.biz-types." + bizType + ".");
    }

    /**
     * The rules of an annotated endpoint.
     *
     * @param endpoint what to call it in a complaint
     */
    EndpointPolicy annotated(Idempotent annotation, String endpoint) {
        return annotated(annotation, endpoint, BizTypeProperties.NONE);
    }

    /**
     * The same.
     *
     * @param otherwise what holds where nothing is said, before our own defaults
     */
    EndpointPolicy annotated(Idempotent annotation, String endpoint, BizTypeProperties otherwise) {
        String bizType = annotation.bizType();
        String where = "@Idempotent on " + endpoint + ": ";
        requireBizType(bizType, where.strip());
        try {
            return resolve(bizType, List.of(attributes(annotation), own(bizType), defaults, otherwise), where);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(where + e.getMessage(), e);
        } catch (InvalidConfigurationException e) {
            // If the properties are wrong without the annotation, the complaint is to name them.
            named(bizType, where, otherwise);
            throw e;
        }
    }

    private static void requireBizType(String bizType, String where) {
        try {
            RecordKey.requireBizType(bizType);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(where + " " + e.getMessage(), e);
        }
    }

    private BizTypeProperties own(String bizType) {
        return bizTypes.getOrDefault(bizType, BizTypeProperties.NONE);
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

    /**
     * @param layers what is said, the first that says something counts
     * @param where beginning of a complaint, followed by the name of a setting
     */
    private EndpointPolicy resolve(String bizType, List<BizTypeProperties> layers, String where) {
        IdempotencyPolicy ours = IdempotencyPolicy.defaults(bizType);
        try {
            IdempotencyPolicy policy = new IdempotencyPolicy(
                    bizType,
                    first(layers, BizTypeProperties::ttl, ours.ttl()),
                    first(layers, BizTypeProperties::timeout, ours.lease()),
                    first(layers, BizTypeProperties::level, ours.level()),
                    first(layers, BizTypeProperties::onDuplicate, ours.onDuplicate()),
                    first(layers, BizTypeProperties::waitTimeout, ours.waitTimeout()),
                    first(layers, BizTypeProperties::onCompleted, ours.onCompleted()),
                    first(layers, BizTypeProperties::onOrphan, ours.onOrphan()),
                    first(layers, BizTypeProperties::storeFailure, ours.storeFailure()),
                    breaker(layers),
                    routeBreaker(layers),
                    first(layers, BizTypeProperties::transactional, ours.transactional()));
            requireTransactions(policy);
            return new EndpointPolicy(
                    policy,
                    first(layers, BizTypeProperties::missingKey, MissingKey.REJECT),
                    outcomes(bizType, layers),
                    ignored(layers));
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(where + e.getMessage(), e);
        }
    }

    private void requireTransactions(IdempotencyPolicy policy) {
        if (policy.transactional()) {
            try {
                transactions.check();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("transactional " + e.getMessage(), e);
            }
        }
    }

    private OutcomeRules outcomes(String bizType, List<BizTypeProperties> layers) {
        ExceptionRules exceptions = new ExceptionRules()
                .with("complete-on", first(layers, BizTypeProperties::completeOn, List.of()), AttemptEnd.SUCCEEDED)
                .with("fail-on", first(layers, BizTypeProperties::failOn, List.of()), AttemptEnd.FAILED)
                .with("release-on", first(layers, BizTypeProperties::releaseOn, List.of()), AttemptEnd.RELEASED);
        StatusSet replayStatuses = new StatusSet(first(layers, BizTypeProperties::replayStatuses, REPLAY_STATUSES));
        return new OutcomeRules(bizType, replayStatuses, exceptions.toMap(), classifier);
    }

    static <L, T> T first(List<L> layers, Function<L, @Nullable T> setting, T ours) {
        for (L layer : layers) {
            T value = setting.apply(layer);
            if (value != null) {
                return value;
            }
        }
        return ours;
    }

    private static BreakerPolicy breaker(List<BizTypeProperties> layers) {
        return BreakerLayers.operation(layers.stream()
                .flatMap(layer -> Stream.ofNullable(layer.breaker()))
                .toList());
    }

    private RoutePolicy routeBreaker(List<BizTypeProperties> layers) {
        return BreakerLayers.route(Stream.concat(
                        layers.stream().flatMap(layer -> Stream.ofNullable(layer.routeBreaker())),
                        Stream.of(routeBreaker))
                .toList());
    }

    private List<JsonPointer> ignored(List<BizTypeProperties> layers) {
        return layers.stream()
                .flatMap(layer -> Stream.ofNullable(layer.fingerprint()))
                .flatMap(fingerprint -> Stream.ofNullable(fingerprint.ignore()))
                .findFirst()
                .map(EndpointPolicies::pointers)
                .orElse(ignore);
    }

    private static List<JsonPointer> pointers(List<String> pointers) {
        try {
            return pointers.stream().map(JsonPointer::parse).toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("fingerprint.ignore: " + e.getMessage(), e);
        }
    }

    /** What an annotation says, with the same names. */
    private static BizTypeProperties attributes(Idempotent annotation) {
        return new BizTypeProperties(
                ttl(annotation),
                timeout(annotation),
                only("level", annotation.level()),
                only("missingKey", annotation.missingKey()),
                only("onDuplicate", annotation.onDuplicate()),
                null,
                only("onCompleted", annotation.onCompleted()),
                only("onOrphan", annotation.onOrphan()),
                only("storeFailure", annotation.storeFailure()),
                transactional(annotation),
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private static @Nullable Boolean transactional(Idempotent annotation) {
        boolean[] values = annotation.transactional();
        if (values.length > 1) {
            throw new IllegalArgumentException("transactional must have one value, but has " + values.length);
        }
        return values.length == 0 ? null : values[0];
    }

    private static <T> @Nullable T only(String attribute, T[] values) {
        if (values.length > 1) {
            throw new IllegalArgumentException(attribute + " must have one value, but has " + List.of(values));
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
