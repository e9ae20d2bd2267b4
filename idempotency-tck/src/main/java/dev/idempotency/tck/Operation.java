// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * One record key in a test, seen through two instances of the store.
 *
 * @param here where attempts are made unless they say otherwise
 * @param elsewhere where the record is looked at
 */
record Operation(RecordKey key, IdempotencyStore here, IdempotencyStore elsewhere) {

    /** Longer than any test runs. */
    static final Duration LONG = Duration.ofHours(1);

    static RecordKey newKey() {
        return RecordKey.builder("tck.operation")
                .part("test", OwnerToken.random().toString())
                .build();
    }

    static Payload payload(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Digest of content number {@code n}, made by algorithm 1. */
    static Fingerprint content(int n) {
        return content(1, n);
    }

    static Fingerprint content(int algorithm, int n) {
        byte[] digest = new byte[Fingerprint.DIGEST_BYTES];
        Arrays.fill(digest, (byte) n);
        return Fingerprint.of(algorithm, digest);
    }

    /** An attempt by an owner that nobody else is. */
    Attempt attempt() {
        return attemptOf(OwnerToken.random());
    }

    Attempt attemptOf(OwnerToken owner) {
        return new Attempt(this, owner);
    }

    /** An attempt that is the owner now. */
    Attempt claimed() {
        return attempt().mustClaim();
    }

    /** An attempt that was the owner and has gone silent; {@code lease} has to elapse before it is an orphan. */
    Attempt claimedFor(Duration lease) {
        return attempt().lease(lease).mustClaim();
    }

    /** The record, which must be there. */
    IdempotencyRecord found() {
        Lookup lookup = elsewhere.find(key);
        assertThat(lookup).isInstanceOf(Lookup.Found.class);
        return ((Lookup.Found) lookup).found();
    }

    boolean isFound() {
        return elsewhere.find(key) instanceof Lookup.Found;
    }

    void mustBeAbsent() {
        assertThat(here.find(key)).isInstanceOf(Lookup.Absent.class);
        assertThat(elsewhere.find(key)).isInstanceOf(Lookup.Absent.class);
    }

    /** Checks that the attempt is answered like this, that the answer shows the record, and that it stays as it was. */
    <T extends ClaimResult> T mustAnswer(Class<T> expected, Attempt attempt) {
        IdempotencyRecord before = found();
        ClaimResult result = attempt.claim();
        assertThat(result).isInstanceOf(expected);
        assertThat(shown(result)).isEqualTo(before);
        assertThat(found()).isEqualTo(before);
        return expected.cast(result);
    }

    /** Checks that a failure has begun a cool-down of this length. */
    void mustCoolFor(Duration length, CompletionResult.Applied failure) {
        assertThat(failure.cooldown()).isEqualTo(length);
        IdempotencyRecord found = found();
        assertThat(found.window().cooldown()).isEqualTo(length);
        assertThat(found.window().cooledUntil()).isEqualTo(found.updatedAt().plus(length));
    }

    /** Checks that the record is the same before and after. */
    void mustStay(Runnable steps) {
        IdempotencyRecord before = found();
        steps.run();
        assertThat(found()).isEqualTo(before);
    }

    private IdempotencyRecord shown(ClaimResult result) {
        if (result instanceof ClaimResult.Completed completed) {
            return completed.found();
        }
        if (result instanceof ClaimResult.InProgress inProgress) {
            return inProgress.found();
        }
        if (result instanceof ClaimResult.KeyReused keyReused) {
            return keyReused.found();
        }
        if (result instanceof ClaimResult.CoolingDown coolingDown) {
            return coolingDown.found();
        }
        if (result instanceof ClaimResult.OutcomeUnknown outcomeUnknown) {
            return outcomeUnknown.found();
        }
        throw new AssertionError("shows no record: " + result);
    }
}
