// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.tck.IdempotencyStoreTck;
import java.time.Duration;

/** The store's kit over connections that Spring Boot has made. */
abstract class TopologyTck extends IdempotencyStoreTck {

    /** The application's connections, the same for both nodes. */
    abstract BootRedis application();

    ReplicaWait replicaWait() {
        return ReplicaWait.NONE;
    }

    @Override
    protected IdempotencyStore openStore() {
        return new RedisIdempotencyStore(
                application().connections(), "idempotency", "tck", Duration.ofSeconds(20), replicaWait());
    }

    @Override
    protected void closeStore(IdempotencyStore store) {
        ((RedisIdempotencyStore) store).close();
    }

    /** The races are the scripts', which are the same everywhere; here it is about the way to them. */
    @Override
    protected int rounds() {
        return 200;
    }

    @Override
    protected void elapse(Duration duration) throws InterruptedException {
        waitFor(duration);
    }
}
