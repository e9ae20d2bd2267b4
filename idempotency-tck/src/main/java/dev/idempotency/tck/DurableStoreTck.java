// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.IdempotencyStore;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a store must do whose records outlive the application, beside {@link IdempotencyStoreTck}. In each test the only
 * instance of the store is closed and another one opened, as when the application is started again.
 */
public abstract class DurableStoreTck {

    private @Nullable IdempotencyStore store;

    /** Opens the store on the backend that it had before. */
    protected abstract IdempotencyStore openStore() throws Exception;

    /** Closes the store and all that belongs to it, as at the application's end. */
    protected abstract void closeStore(IdempotencyStore store) throws Exception;

    @BeforeEach
    void open() throws Exception {
        store = openStore();
    }

    @AfterEach
    void close() throws Exception {
        closeStore(opened());
    }

    @Test
    void answerSurvivesARestart() throws Exception {
        Operation before = operation();
        before.claimed().succeed();
        IdempotencyRecord done = before.found();

        Operation after = restarted(before);

        assertThat(after.found()).isEqualTo(done);
        after.mustAnswer(ClaimResult.Completed.class, after.attempt());
    }

    @Test
    void liveClaimSurvivesARestart() throws Exception {
        Operation before = operation();
        Attempt owner = before.claimed();
        IdempotencyRecord pending = before.found();

        Operation after = restarted(before);

        assertThat(after.found()).isEqualTo(pending);
        after.mustAnswer(ClaimResult.InProgress.class, after.attempt());
        Attempt ownerAfterwards = after.attemptOf(owner.owner());
        assertThat(ownerAfterwards.claimed().version()).isEqualTo(pending.version());
        ownerAfterwards.succeed();
    }

    @Test
    void failuresSurviveARestart() throws Exception {
        BreakerPolicy policy = new BreakerPolicy(2, Operation.LONG, Operation.LONG);
        Operation before = operation();
        before.claimed().fail(policy);
        IdempotencyRecord failed = before.found();

        Operation after = restarted(before);

        assertThat(after.found()).isEqualTo(failed);
        after.claimed().fail(policy);
        IdempotencyRecord cooled = after.found();

        Operation muchLater = restarted(after);
        assertThat(muchLater.found()).isEqualTo(cooled);
        muchLater.mustAnswer(ClaimResult.CoolingDown.class, muchLater.attempt());
    }

    @Test
    void versionGrowsOverARestart() throws Exception {
        Operation before = operation();
        Attempt owner = before.attempt();
        long first = owner.claimed().version();
        owner.release();

        Operation after = restarted(before);

        assertThat(after.attempt().claimed().version()).isGreaterThan(first);
    }

    private Operation operation() {
        return new Operation(Operation.newKey(), opened(), opened());
    }

    private Operation restarted(Operation operation) throws Exception {
        closeStore(opened());
        store = openStore();
        return new Operation(operation.key(), opened(), opened());
    }

    private IdempotencyStore opened() {
        return Objects.requireNonNull(store, "the store is open while a test runs");
    }
}
