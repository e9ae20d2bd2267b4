// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/**
 * What every {@link DeadLetterQueue} must do. A queue's own test extends this class, opens the queue and says how its clock
 * moves on, as with {@link IdempotencyStoreTck}.
 *
 * <p>The backend may hold other letters and need not be emptied: each test works in a namespace of its own.
 */
public abstract class DeadLetterQueueTck {

    private final List<DeadLetterQueue> opened = new ArrayList<>();

    /**
     * Opens one more instance of a queue on the one backend, as one more node of the application would. Instances of the
     * same namespace share their letters, and are given the same limits; they may be the same object only if the queue
     * cannot be shared between processes.
     *
     * @param namespace letters, digits and hyphens
     */
    protected abstract DeadLetterQueue openQueue(String namespace, DeadLetterLimits limits) throws Exception;

    /** Gives up what {@link #openQueue} took; does nothing unless overridden. */
    protected void closeQueue(DeadLetterQueue queue) throws Exception {}

    /** Returns once the queue's clock has moved on by at least this much. */
    protected abstract void elapse(Duration duration) throws Exception;

    /** The length that short leases and retentions in the tests are multiples of: 200 ms unless overridden. */
    protected Duration unit() {
        return Duration.ofMillis(200);
    }

    /** How often each race is run: 2,000 times unless overridden. Fewer rounds find fewer races. */
    protected int rounds() {
        return 2_000;
    }

    /** Waits by this machine's clock: {@link #elapse} for a queue whose clock cannot be moved. */
    protected static void waitFor(Duration duration) throws InterruptedException {
        IdempotencyStoreTck.waitFor(duration);
    }

    DeadLetterQueue open(String namespace, DeadLetterLimits limits) {
        try {
            DeadLetterQueue queue = openQueue(namespace, limits);
            opened.add(queue);
            return queue;
        } catch (Exception e) {
            throw new IllegalStateException("the queue cannot be opened", e);
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        for (DeadLetterQueue queue : opened) {
            closeQueue(queue);
        }
        opened.clear();
    }

    /** One letter for each case, however often it is met. */
    @Nested
    class Parking extends ParkingRules {
        Parking() {
            super(DeadLetterQueueTck.this);
        }
    }

    /** How much is kept, and for how long. */
    @Nested
    class Bounding extends LimitRules {
        Bounding() {
            super(DeadLetterQueueTck.this);
        }
    }

    /** Filters and pages. */
    @Nested
    class Listing extends ListingRules {
        Listing() {
            super(DeadLetterQueueTck.this);
        }
    }

    /** What operators can do to a letter, and that only one of them does it. */
    @Nested
    class Handling extends HandlingRules {
        Handling() {
            super(DeadLetterQueueTck.this);
        }
    }
}
