// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.breaker.SlidingWindow;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

abstract class CompletionRules extends StoreRules {

    private static final Duration TTL = Duration.ofMinutes(30);

    CompletionRules(IdempotencyStoreTck tck) {
        super(tck);
    }

    @Test
    void successKeepsTheAnswer() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        IdempotencyRecord pending = operation.found();

        CompletionResult.Applied applied = owner.succeed(TTL);

        assertThat(applied.version()).isGreaterThan(pending.version());
        assertThat(applied.cooldown()).isEqualTo(Duration.ZERO);
        IdempotencyRecord found = operation.found();
        assertThat(found.status()).isEqualTo(RecordStatus.SUCCESS);
        assertThat(found.version()).isEqualTo(applied.version());
        assertThat(found.payload()).isEqualTo(Operation.payload("answer"));
        assertThat(found.window()).isEqualTo(SlidingWindow.EMPTY);
        assertThat(found.expiresAt()).isEqualTo(found.updatedAt().plus(TTL));
        mustDescribeTheSameAttempt(found, pending);
    }

    @Test
    void failureKeepsWhatIsKnownOfIt() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        IdempotencyRecord pending = operation.found();

        CompletionResult.Applied applied = owner.fail(TTL, opensAt(3));

        assertThat(applied.version()).isGreaterThan(pending.version());
        assertThat(applied.cooldown()).isEqualTo(Duration.ZERO);
        IdempotencyRecord found = operation.found();
        assertThat(found.status()).isEqualTo(RecordStatus.FAILED);
        assertThat(found.version()).isEqualTo(applied.version());
        assertThat(found.payload()).isEqualTo(Operation.payload("failure"));
        assertThat(found.window()).isEqualTo(SlidingWindow.closed(List.of(found.updatedAt())));
        assertThat(found.expiresAt()).isEqualTo(found.updatedAt().plus(TTL));
        mustDescribeTheSameAttempt(found, pending);
    }

    @Test
    void releaseForgetsTheOperation() {
        Operation operation = operation();
        Attempt owner = operation.attempt();
        long version = owner.claimed().version();

        CompletionResult.Applied applied = owner.elsewhere().release();

        assertThat(applied.version()).isEqualTo(version);
        assertThat(applied.cooldown()).isEqualTo(Duration.ZERO);
        operation.mustBeAbsent();
    }

    @Test
    void takenOverOperationEndsLikeAnyOther() {
        Operation operation = operation();
        operation.claimedFor(units(1));
        elapse(units(2));

        operation.claimed().succeed();

        assertThat(operation.found().status()).isEqualTo(RecordStatus.SUCCESS);
        assertThat(operation.found().attempts()).isEqualTo(2);
    }

    @Test
    void successAskedForAgainIsTheSameSuccess() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        long version = owner.succeed().version();

        operation.mustStay(() -> {
            Completion other = new Completion.Success(Operation.payload("other"), Operation.LONG.multipliedBy(9));
            CompletionResult.Applied again = owner.elsewhere().applied(other);
            assertThat(again.version()).isEqualTo(version);
            assertThat(again.cooldown()).isEqualTo(Duration.ZERO);
        });
    }

    @Test
    void failureAskedForAgainCountsOnce() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        long version = owner.fail(opensAt(2)).version();

        operation.mustStay(() -> {
            CompletionResult.Applied again = owner.elsewhere().fail(opensAt(2));
            assertThat(again.version()).isEqualTo(version);
            assertThat(again.cooldown()).isEqualTo(Duration.ZERO);
        });
    }

    @Test
    void failureAskedForAgainTellsTheCoolDownThatRemains() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        owner.fail(opensAt(1));

        operation.mustStay(() -> assertThat(owner.fail(opensAt(1)).cooldown())
                .isPositive()
                .isLessThanOrEqualTo(opensAt(1).cooldown().first()));
    }

    @Test
    void releaseAskedForAgainFindsNothingToForget() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        owner.release();

        assertThat(owner.elsewhere().complete(new Completion.Release())).isEqualTo(new CompletionResult.Stale());
        operation.mustBeAbsent();
    }

    @Test
    void ownerCannotChangeItsMind() {
        Completion success = new Completion.Success(Operation.payload("changed"), TTL);
        Completion failure = new Completion.Failure(Operation.payload("changed"), TTL, BreakerPolicy.DEFAULT);
        Completion release = new Completion.Release();

        Operation done = operation();
        Attempt succeeded = done.claimed();
        succeeded.succeed();
        Operation failed = operation();
        Attempt unlucky = failed.claimed();
        unlucky.fail(BreakerPolicy.OFF);

        for (Completion other : List.of(failure, release)) {
            done.mustStay(() -> assertThat(succeeded.complete(other)).isEqualTo(new CompletionResult.Stale()));
        }
        for (Completion other : List.of(success, release)) {
            failed.mustStay(() -> assertThat(unlucky.complete(other)).isEqualTo(new CompletionResult.Stale()));
        }
    }

    @Test
    void payloadsComeBackByteForByte() {
        for (Payload payload : List.of(Payload.EMPTY, everyByte(256), everyByte(1 << 20))) {
            Operation operation = operation();
            Attempt owner = operation.attempt().started(payload);
            owner.claimed();
            assertThat(operation.found().payload()).isEqualTo(payload);

            owner.applied(new Completion.Failure(payload, TTL, BreakerPolicy.DEFAULT));
            assertThat(operation.found().payload()).isEqualTo(payload);

            operation.claimed().applied(new Completion.Success(payload, TTL));
            assertThat(operation.found().payload()).isEqualTo(payload);
        }
    }

    @Test
    void payloadOutlivesARenewal() {
        Operation operation = operation();
        Attempt owner = operation.attempt().started(everyByte(1_000));
        owner.claimed();

        owner.renew(TTL, TTL);

        assertThat(operation.found().payload()).isEqualTo(everyByte(1_000));
    }

    private static void mustDescribeTheSameAttempt(IdempotencyRecord ended, IdempotencyRecord pending) {
        assertThat(ended.owner()).isEqualTo(pending.owner());
        assertThat(ended.fingerprint()).isEqualTo(pending.fingerprint());
        assertThat(ended.attempts()).isEqualTo(pending.attempts());
        assertThat(ended.createdAt()).isEqualTo(pending.createdAt());
        assertThat(ended.updatedAt()).isAfterOrEqualTo(pending.updatedAt());
    }

    private static Payload everyByte(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i * 31 + i / 256);
        }
        return Payload.of(bytes);
    }
}
