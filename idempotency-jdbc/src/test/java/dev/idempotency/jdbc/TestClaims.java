// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.store.Claim;
import dev.idempotency.store.Completion;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Steps with harmless values. */
final class TestClaims {

    static final Duration HOUR = Duration.ofHours(1);
    static final Completion.Success SUCCESS = new Completion.Success(payload("answer"), HOUR);
    static final Completion FAILURE = new Completion.Failure(payload("failure"), HOUR, BreakerPolicy.DEFAULT);
    static final Completion RELEASE = new Completion.Release();

    private TestClaims() {}

    static RecordKey newKey() {
        return RecordKey.builder("create_order")
                .part("test", OwnerToken.random().toString())
                .build();
    }

    static Claim claim(RecordKey key, OwnerToken owner) {
        return claim(key, owner, HOUR);
    }

    static Claim claim(RecordKey key, OwnerToken owner, Duration lease) {
        Fingerprint fingerprint = Fingerprint.of(1, new byte[Fingerprint.DIGEST_BYTES]);
        return new Claim(key, owner, fingerprint, lease, HOUR.multipliedBy(2), OnOrphan.TAKE_OVER, payload("started"));
    }

    static Claim uncertainClaim(RecordKey key, OwnerToken owner) {
        Claim claim = claim(key, owner);
        return new Claim(key, owner, claim.fingerprint(), HOUR, claim.ttl(), OnOrphan.UNCERTAIN, claim.payload());
    }

    static Payload payload(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether the claim still held. */
    static boolean renewed(IdempotencyStore store, RecordKey key, OwnerToken owner, Duration lease, Duration ttl) {
        return store.renew(List.of(new Renewal(key, owner, lease, ttl))).equals(List.of(RenewalResult.RENEWED));
    }
}
