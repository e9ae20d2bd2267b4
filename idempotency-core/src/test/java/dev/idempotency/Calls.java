// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.RoutePolicy;
import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.IdempotencyLevel;
import dev.idempotency.policy.IdempotencyPolicy;
import dev.idempotency.policy.OnCompleted;
import dev.idempotency.policy.OnDuplicate;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.policy.StoreFailure;
import dev.idempotency.store.Payload;
import dev.idempotency.store.StoredResponse;
import dev.idempotency.store.StoredResponse.Field;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes calls of one policy, whose settings can be changed one by one. */
final class Calls {

    static final StoredResponse CREATED = answer("created");

    final AtomicInteger snapshots = new AtomicInteger();
    volatile boolean gone;
    Duration ttl = Duration.ofHours(24);
    Duration lease = Duration.ofSeconds(60);
    OnDuplicate onDuplicate = OnDuplicate.REJECT;
    Duration waitTimeout = Duration.ofSeconds(30);
    OnCompleted onCompleted = OnCompleted.REPLAY;
    OnOrphan onOrphan = OnOrphan.TAKE_OVER;
    StoreFailure storeFailure = StoreFailure.CLOSED;
    BreakerPolicy breaker = BreakerPolicy.DEFAULT;
    RoutePolicy routeBreaker = RoutePolicy.OFF;
    boolean transactional;

    IdempotentRequest call(String key) {
        return call(key, "content");
    }

    IdempotentRequest call(String key, String content) {
        IdempotencyPolicy policy = new IdempotencyPolicy(
                "order",
                ttl,
                lease,
                IdempotencyLevel.FULL_REQUEST,
                onDuplicate,
                waitTimeout,
                onCompleted,
                onOrphan,
                storeFailure,
                breaker,
                routeBreaker,
                transactional);
        return new IdempotentRequest(
                key(key), fingerprint(content), policy, "test", "trace of " + content, this::snapshot);
    }

    private RequestSnapshot snapshot() {
        if (gone) {
            throw new IllegalStateException("the request is over");
        }
        snapshots.incrementAndGet();
        return new RequestSnapshot("POST", "/orders", null, List.of(), Payload.EMPTY, true, null);
    }

    static RecordKey key(String key) {
        return RecordKey.builder("order").part("key", key).build();
    }

    static StoredResponse answer(String body) {
        return new StoredResponse(
                201, List.of(new Field("Location", "/7")), Payload.of(body.getBytes(StandardCharsets.UTF_8)));
    }

    private static Fingerprint fingerprint(String content) {
        byte[] digest = new byte[Fingerprint.DIGEST_BYTES];
        digest[0] = (byte) content.hashCode();
        return Fingerprint.of(1, digest);
    }
}
