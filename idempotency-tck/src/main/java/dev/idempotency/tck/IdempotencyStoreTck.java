// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import dev.idempotency.store.IdempotencyStore;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/**
 * What every {@link IdempotencyStore} must do. A store's own test extends this class, opens the store and says how its
 * clock moves on:
 *
 * <pre>{@code
 * class MyStoreIT extends IdempotencyStoreTck {
 *     protected IdempotencyStore openStore() {
 *         return new MyStore(server.address());
 *     }
 *
 *     protected void elapse(Duration duration) {
 *         waitFor(duration);
 *     }
 * }
 * }</pre>
 *
 * <p>Every test opens two stores on one backend, which may be the same object only if the store cannot be shared between
 * processes. The backend may hold other records and need not be emptied: each test works on keys of its own.
 *
 * <p>A store that keeps records over a restart extends {@link DurableStoreTck} as well.
 */
public abstract class IdempotencyStoreTck {

    private @Nullable IdempotencyStore first;
    private @Nullable IdempotencyStore second;

    /** Opens one more instance of the store on the one backend, as one more node of the application would. */
    protected abstract IdempotencyStore openStore() throws Exception;

    /** Gives up what {@link #openStore} took; does nothing unless overridden. Records must stay. */
    protected void closeStore(IdempotencyStore store) throws Exception {}

    /** Returns once the store's clock has moved on by at least this much. */
    protected abstract void elapse(Duration duration) throws Exception;

    /**
     * The length that short leases and times to live in the tests are multiples of: 200 ms unless overridden. On a real
     * clock a few units must be enough for a handful of steps even if the machine is busy; where {@link #elapse} moves
     * the clock by hand, any length will do.
     */
    protected Duration unit() {
        return Duration.ofMillis(200);
    }

    /** How often each race is run: 2,000 times unless overridden. Fewer rounds find fewer races. */
    protected int rounds() {
        return 2_000;
    }

    /** Waits by this machine's clock: {@link #elapse} for a store whose clock cannot be moved. */
    protected static void waitFor(Duration duration) throws InterruptedException {
        // A little longer, as the store's clock may be slowed down to bring it back to the right time.
        long nanos = duration.plus(duration.dividedBy(1_000)).plusNanos(100_000).toNanos();
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    @BeforeEach
    void openBothStores() throws Exception {
        first = openStore();
        second = openStore();
    }

    @AfterEach
    void closeBothStores() throws Exception {
        closeStore(first());
        closeStore(second());
    }

    IdempotencyStore first() {
        return Objects.requireNonNull(first, "the first store is open while a test runs");
    }

    IdempotencyStore second() {
        return Objects.requireNonNull(second, "the second store is open while a test runs");
    }

    /** Who becomes the owner, and what the others are told. */
    @Nested
    class Claiming extends ClaimRules {
        Claiming() {
            super(IdempotencyStoreTck.this);
        }
    }

    /** One key, other content. */
    @Nested
    class Fingerprinting extends FingerprintRules {
        Fingerprinting() {
            super(IdempotencyStoreTck.this);
        }
    }

    /** How a claim ends, and that it ends once. */
    @Nested
    class Completing extends CompletionRules {
        Completing() {
            super(IdempotencyStoreTck.this);
        }
    }

    /** What those who do not own the operation cannot do. */
    @Nested
    class Owning extends OwnershipRules {
        Owning() {
            super(IdempotencyStoreTck.this);
        }
    }

    /** How claims are made to hold for longer, many at once. */
    @Nested
    class Renewing extends RenewalRules {
        Renewing() {
            super(IdempotencyStoreTck.this);
        }
    }

    /** When a failing operation is cooled down. */
    @Nested
    class Cooling extends BreakerRules {
        Cooling() {
            super(IdempotencyStoreTck.this);
        }
    }

    /** What a person may overrule, and what not. */
    @Nested
    class Operating extends OperatorRules {
        Operating() {
            super(IdempotencyStoreTck.this);
        }
    }

    /** When a record is forgotten, and that its version never goes back. */
    @Nested
    class Expiring extends ExpiryRules {
        Expiring() {
            super(IdempotencyStoreTck.this);
        }
    }

    /** Everything, in any order: random walks through the formal model. */
    @Nested
    class FollowingTheModel extends ModelTraceRules {
        FollowingTheModel() {
            super(IdempotencyStoreTck.this);
        }
    }

    /** The same under contention, thousands of times. */
    @Nested
    class Racing extends RaceRules {
        Racing() {
            super(IdempotencyStoreTck.this);
        }
    }
}
