// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.policy.IdempotencyLevel;
import dev.idempotency.policy.MissingKey;
import dev.idempotency.policy.OnCompleted;
import dev.idempotency.policy.OnDuplicate;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.policy.StoreFailure;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * Rules of a bizType, as far as they are given; what is left out says nothing.
 *
 * @param ttl How long a finished record answers repeats. Default: 24h.
 * @param timeout How long a claim holds if its owner goes silent; it is renewed while the owner works. Default: 60s.
 * @param level How much of a repeat must agree with the first request. Default: full-request.
 * @param missingKey What happens to a request without an idempotency key. Default: reject.
 * @param onDuplicate What a repeat gets while the first request is running. Default: reject.
 * @param waitTimeout How long a repeat waits for the first answer under on-duplicate wait. Default: 10s.
 * @param onCompleted What a repeat gets after success. Default: replay.
 * @param onOrphan What a repeat may do with a claim whose owner went silent. Default: take-over.
 * @param storeFailure What happens when the store gives no answer. Default: closed.
 * @param transactional Whether an operation's effect in the database and its record are committed by one transaction, which
 *     needs a store that can take part in it, such as jdbc. Default: false.
 * @param replayStatuses Statuses whose answers are kept and given again, single ones or classes. Default: 2xx,3xx.
 * @param completeOn Exceptions whose answers are kept and given again; class names. The nearest superclass of what was
 *     thrown counts, over all three lists, and before the status.
 * @param failOn Exceptions after which the next repeat runs again and the breaker counts; class names.
 * @param releaseOn Exceptions that leave no record, as if the request had never come; class names.
 * @param breaker When repeated failures of one operation cool it down.
 * @param routeBreaker When failures suspend the whole bizType, where it needs its own rule.
 * @param fingerprint Which contents are the same, where the bizType needs its own rule.
 */
public record BizTypeProperties(
        @Nullable Duration ttl,
        @Nullable Duration timeout,
        @Nullable IdempotencyLevel level,
        @Nullable MissingKey missingKey,
        @Nullable OnDuplicate onDuplicate,
        @Nullable Duration waitTimeout,
        @Nullable OnCompleted onCompleted,
        @Nullable OnOrphan onOrphan,
        @Nullable StoreFailure storeFailure,
        @Nullable Boolean transactional,
        @Nullable List<String> replayStatuses,
        @Nullable List<String> completeOn,
        @Nullable List<String> failOn,
        @Nullable List<String> releaseOn,
        @Nullable Breaker breaker,
        @Nullable @NestedConfigurationProperty RouteBreakerProperties routeBreaker,
        @Nullable Fingerprint fingerprint) {

    /**
     * When repeated failures of one operation cool it down.
     *
     * @param failures Failures within the window that open the breaker; 0 switches it off. Default: 3.
     * @param window Length of the sliding window. Default: 5s.
     * @param cooldown How long the operation is refused once the breaker has opened. Default: 30s.
     * @param cooldownMultiplier What each further cool-down is longer by, until a success. Default: 1.
     * @param maxCooldown Longest cool-down where they grow. Default: 1h.
     */
    public record Breaker(
            @Nullable Integer failures,
            @Nullable Duration window,
            @Nullable Duration cooldown,
            @Nullable Double cooldownMultiplier,
            @Nullable Duration maxCooldown) {}

    /**
     * Which contents are the same, where the bizType needs its own rule.
     *
     * @param ignore JSON pointers of values that senders change between retries, instead of idempotency.fingerprint.ignore.
     */
    public record Fingerprint(@Nullable List<String> ignore) {}

    /** No rule at all. */
    static final BizTypeProperties NONE = new BizTypeProperties(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
}
