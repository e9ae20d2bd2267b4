// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.policy;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.Cooldown;
import dev.idempotency.breaker.RoutePolicy;
import dev.idempotency.key.RecordKey;
import java.time.Duration;

/**
 * The rules of one bizType, as far as they do not depend on how a call arrives.
 *
 * @param bizType what the kind of operation is called; see {@link RecordKey#requireBizType}
 * @param ttl how long a finished record answers repeats, from {@code lease} up to {@link #MAX_TTL}
 * @param lease how long a claim holds if its owner goes silent, at least {@link #MIN_LEASE}
 * @param level how much of a repeat must agree with the first request
 * @param onDuplicate what a repeat gets while the first is running
 * @param waitTimeout how long such a repeat waits under {@link OnDuplicate#WAIT}, positive, up to {@link #MAX_WAIT}
 * @param onCompleted what a repeat gets after success
 * @param onOrphan what a repeat may do with a claim whose owner went silent
 * @param storeFailure what happens when the store gives no answer
 * @param breaker when repeated failures cool the operation down
 * @param routeBreaker when failures suspend the whole bizType
 * @param transactional whether the operation's effect and its record are committed by one transaction
 */
public record IdempotencyPolicy(
        String bizType,
        Duration ttl,
        Duration lease,
        IdempotencyLevel level,
        OnDuplicate onDuplicate,
        Duration waitTimeout,
        OnCompleted onCompleted,
        OnOrphan onOrphan,
        StoreFailure storeFailure,
        BreakerPolicy breaker,
        RoutePolicy routeBreaker,
        boolean transactional) {

    /** Ten years: far beyond any sender's retry window, far from any overflow. */
    public static final Duration MAX_TTL = Duration.ofDays(3650);

    /** Below this a lease could not be renewed in time. */
    public static final Duration MIN_LEASE = Duration.ofMillis(100);

    /** An hour: a waiting repeat holds a thread of its server. */
    public static final Duration MAX_WAIT = Duration.ofHours(1);

    public IdempotencyPolicy {
        RecordKey.requireBizType(bizType);
        if (lease.compareTo(MIN_LEASE) < 0) {
            throw new IllegalArgumentException("timeout must be at least " + MIN_LEASE + ", but is " + lease);
        }
        if (ttl.compareTo(lease) < 0) {
            throw new IllegalArgumentException("ttl must not be shorter than timeout (" + lease + "), but is " + ttl);
        }
        if (ttl.compareTo(MAX_TTL) > 0) {
            throw new IllegalArgumentException("ttl must be at most " + MAX_TTL + ", but is " + ttl);
        }
        if (waitTimeout.isZero() || waitTimeout.isNegative()) {
            throw new IllegalArgumentException("wait-timeout must be positive, but is " + waitTimeout);
        }
        if (waitTimeout.compareTo(MAX_WAIT) > 0) {
            throw new IllegalArgumentException("wait-timeout must be at most " + MAX_WAIT + ", but is " + waitTimeout);
        }
        requireTimes("breaker", breaker.window(), breaker.cooldown());
        requireTimes("route-breaker", routeBreaker.window(), routeBreaker.cooldown());
    }

    private static void requireTimes(String name, Duration window, Cooldown cooldown) {
        Duration longest = cooldown.multiplier() > 1 ? cooldown.max() : cooldown.first();
        if (longest.compareTo(MAX_TTL) > 0 || window.compareTo(MAX_TTL) > 0) {
            throw new IllegalArgumentException(name + ".window and " + name + ".cooldown must be at most " + MAX_TTL
                    + ", but are " + window + " and " + longest);
        }
    }

    /** The defaults of every setting: a day's memory, a minute's lease, refuse rather than wait, close rather than open. */
    public static IdempotencyPolicy defaults(String bizType) {
        return new IdempotencyPolicy(
                bizType,
                Duration.ofHours(24),
                Duration.ofSeconds(60),
                IdempotencyLevel.FULL_REQUEST,
                OnDuplicate.REJECT,
                Duration.ofSeconds(10),
                OnCompleted.REPLAY,
                OnOrphan.TAKE_OVER,
                StoreFailure.CLOSED,
                BreakerPolicy.DEFAULT,
                RoutePolicy.OFF,
                false);
    }
}
