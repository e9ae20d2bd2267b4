// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import dev.idempotency.breaker.BreakerPolicy;
import java.time.Duration;

/** What the groups of rules share: fresh operations, and the store's clock in units. */
abstract class StoreRules {

    private final IdempotencyStoreTck tck;

    StoreRules(IdempotencyStoreTck tck) {
        this.tck = tck;
    }

    /** An operation that no store has heard of. */
    final Operation operation() {
        return new Operation(Operation.newKey(), tck.first(), tck.second());
    }

    final Duration units(int count) {
        return tck.unit().multipliedBy(count);
    }

    final void elapse(Duration duration) {
        try {
            tck.elapse(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the store's clock moved on", e);
        } catch (Exception e) {
            throw new IllegalStateException("the store's clock did not move on", e);
        }
    }

    final int rounds() {
        return tck.rounds();
    }

    /** Opens at this many failures, for long, and forgets none of them while a test runs. */
    static BreakerPolicy opensAt(int failures) {
        return new BreakerPolicy(failures, Operation.LONG, Operation.LONG);
    }
}
