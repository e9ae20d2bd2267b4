// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.jdbc.OwnConnections.Work;
import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a step takes its connection from: the application's pool, or the reserve, which the application's own code cannot use
 * up. The reserve serves what must not wait for that code: renewals, steps of a thread that has a connection of the pool
 * already, and ends that the pool has no connection for. May be used from any thread.
 */
final class StepConnections {

    private static final Logger log = LoggerFactory.getLogger(StepConnections.class);

    private final DataSource dataSource;
    private final OwnConnections pool;
    private final @Nullable OwnConnections reserve;

    StepConnections(DataSource dataSource, @Nullable DataSource reserve, Duration queryTimeout) {
        this.dataSource = dataSource;
        this.pool = new OwnConnections(dataSource, queryTimeout);
        this.reserve = reserve == null ? null : new OwnConnections(reserve, queryTimeout);
    }

    /**
     * Does the work of a step on a connection that commits by itself.
     *
     * @throws StoreUnavailableException if there was no connection, or the database gave no answer
     */
    <R> R run(Work<R> work) {
        return take(from -> from.run(work));
    }

    /** The same in one transaction of its own. */
    <R> R runInTransaction(Work<R> work) {
        return take(from -> from.runInTransaction(work));
    }

    private <R> R take(Function<OwnConnections, R> step) {
        return reserve != null && BoundConnection.isHeld(dataSource) ? runOn(reserve, pool, step) : step.apply(pool);
    }

    /** As {@link #run}, for the end of a claim. */
    <R> R runEnd(Work<R> work) {
        if (reserve == null) {
            return pool.run(work);
        }
        Function<OwnConnections, R> step = from -> from.run(work);
        return BoundConnection.isHeld(dataSource) ? runOn(reserve, pool, step) : runOn(pool, reserve, step);
    }

    /** As {@link #run}, for renewals: they wait for the pool only if the server refuses the reserve a connection. */
    <R> R runRenewal(Work<R> work) {
        if (reserve == null) {
            return pool.run(work);
        }
        try {
            return reserve.run(work);
        } catch (StoreUnavailableException e) {
            if (e.getCause() instanceof NoConnectionException none && none.isRefusal()) {
                log.debug("The server refuses the reserve a connection; leases are renewed by the pool's.", e);
                return pool.run(work);
            }
            throw e;
        }
    }

    private static <R> R runOn(OwnConnections first, OwnConnections second, Function<OwnConnections, R> step) {
        try {
            return step.apply(first);
        } catch (StoreUnavailableException e) {
            if (!(e.getCause() instanceof NoConnectionException)) {
                throw e;
            }
            try {
                return step.apply(second);
            } catch (StoreUnavailableException alsoFailed) {
                alsoFailed.addSuppressed(e);
                throw alsoFailed;
            }
        }
    }
}
