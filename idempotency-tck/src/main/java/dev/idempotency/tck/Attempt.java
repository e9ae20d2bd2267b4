// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import java.time.Duration;
import java.util.List;

/** One owner of one operation in a test, with everything that the test does not speak of at a harmless value. */
final class Attempt {

    private static final int MAX_TRIES = 1_000;

    private final Operation operation;
    private final OwnerToken owner;
    private IdempotencyStore store;
    private Duration lease = Operation.LONG;
    private Duration ttl = Operation.LONG.multipliedBy(2);
    private Fingerprint content = Operation.content(1);
    private OnOrphan onOrphan = OnOrphan.TAKE_OVER;
    private long redriveOf;
    private Payload started = Operation.payload("started");

    Attempt(Operation operation, OwnerToken owner) {
        this.operation = operation;
        this.owner = owner;
        this.store = operation.here();
    }

    /** From now on through the other instance of the store. */
    Attempt elsewhere() {
        store = operation.elsewhere();
        return this;
    }

    Attempt lease(Duration lease) {
        this.lease = lease;
        return this;
    }

    Attempt ttl(Duration ttl) {
        this.ttl = ttl;
        return this;
    }

    Attempt content(Fingerprint content) {
        this.content = content;
        return this;
    }

    Attempt uncertain() {
        onOrphan = OnOrphan.UNCERTAIN;
        return this;
    }

    Attempt redriveOf(long version) {
        redriveOf = version;
        return this;
    }

    Attempt started(Payload started) {
        this.started = started;
        return this;
    }

    long redriveOf() {
        return redriveOf;
    }

    Operation operation() {
        return operation;
    }

    OwnerToken owner() {
        return owner;
    }

    ClaimResult claim() {
        return store.claim(new Claim(operation.key(), owner, content, lease, ttl, onOrphan, started, false, redriveOf));
    }

    ClaimResult.Claimed claimed() {
        ClaimResult result = claim();
        assertThat(result).isInstanceOf(ClaimResult.Claimed.class);
        return (ClaimResult.Claimed) result;
    }

    Attempt mustClaim() {
        claimed();
        return this;
    }

    Renewal renewal(Duration newLease, Duration newTtl) {
        return new Renewal(operation.key(), owner, newLease, newTtl);
    }

    /** Whether it held, asked again while somebody else is at the record. */
    boolean renew(Duration newLease, Duration newTtl) {
        List<RenewalResult> results = List.of();
        for (int i = 0; i < MAX_TRIES; i++) {
            results = store.renew(List.of(renewal(newLease, newTtl)));
            if (!results.equals(List.of(RenewalResult.UNANSWERED))) {
                break;
            }
        }
        assertThat(results).hasSize(1).doesNotContain(RenewalResult.UNANSWERED);
        return results.get(0) == RenewalResult.RENEWED;
    }

    CompletionResult complete(Completion completion) {
        return store.complete(operation.key(), owner, completion);
    }

    CompletionResult.Applied succeed() {
        return succeed(Operation.LONG);
    }

    CompletionResult.Applied succeed(Duration resultTtl) {
        return applied(new Completion.Success(Operation.payload("answer"), resultTtl));
    }

    CompletionResult.Applied fail(BreakerPolicy breaker) {
        return fail(Operation.LONG, breaker);
    }

    CompletionResult.Applied fail(Duration failureTtl, BreakerPolicy breaker) {
        return applied(new Completion.Failure(Operation.payload("failure"), failureTtl, breaker));
    }

    CompletionResult.Applied release() {
        return applied(new Completion.Release());
    }

    CompletionResult.Applied applied(Completion completion) {
        CompletionResult result = complete(completion);
        assertThat(result).isInstanceOf(CompletionResult.Applied.class);
        return (CompletionResult.Applied) result;
    }
}
