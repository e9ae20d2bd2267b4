// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import dev.idempotency.breaker.SlidingWindow;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordStatus;
import java.time.Instant;

/** A record with some fields changed. */
final class RecordEdit {

    private final IdempotencyRecord original;
    private long version;
    private RecordStatus status;
    private OwnerToken owner;
    private Instant leaseEnd;
    private Fingerprint fingerprint;
    private int attempts;
    private SlidingWindow window;
    private Payload payload;
    private Instant expiresAt;

    private RecordEdit(IdempotencyRecord original) {
        this.original = original;
        this.version = original.version();
        this.status = original.status();
        this.owner = original.owner();
        this.leaseEnd = original.leaseEnd();
        this.fingerprint = original.fingerprint();
        this.attempts = original.attempts();
        this.window = original.window();
        this.payload = original.payload();
        this.expiresAt = original.expiresAt();
    }

    static RecordEdit edit(IdempotencyRecord original) {
        return new RecordEdit(original);
    }

    RecordEdit version(long changed) {
        version = changed;
        return this;
    }

    RecordEdit status(RecordStatus changed) {
        status = changed;
        return this;
    }

    RecordEdit owner(OwnerToken changed) {
        owner = changed;
        return this;
    }

    RecordEdit leaseEnd(Instant changed) {
        leaseEnd = changed;
        return this;
    }

    RecordEdit fingerprint(Fingerprint changed) {
        fingerprint = changed;
        return this;
    }

    RecordEdit attempts(int changed) {
        attempts = changed;
        return this;
    }

    RecordEdit window(SlidingWindow changed) {
        window = changed;
        return this;
    }

    RecordEdit payload(Payload changed) {
        payload = changed;
        return this;
    }

    RecordEdit expiresAt(Instant changed) {
        expiresAt = changed;
        return this;
    }

    IdempotencyRecord done() {
        return new IdempotencyRecord(
                original.key(),
                version,
                status,
                owner,
                leaseEnd,
                fingerprint,
                attempts,
                window,
                payload,
                original.createdAt(),
                original.updatedAt(),
                expiresAt);
    }
}
