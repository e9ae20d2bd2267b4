// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.metrics;

import dev.idempotency.Routes;
import dev.idempotency.store.StoreUnavailableException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many bizTypes are suspended or wait for a trial: {@code idempotency.routes.suspended}. The store is asked at most every
 * {@value #SECONDS} seconds, and not at all while no bizType can be suspended; while it gives no answer there is no number.
 */
public final class RouteMeters implements MeterBinder {

    private static final Logger log = LoggerFactory.getLogger(RouteMeters.class);
    private static final int SECONDS = 5;

    private final Supplier<Routes> routes;
    private final boolean used;
    private double count;
    private long askedNanos = System.nanoTime() - Duration.ofSeconds(SECONDS).toNanos();

    /**
     * A meter.
     *
     * @param used whether there is a bizType that can be suspended
     */
    public RouteMeters(Supplier<Routes> routes, boolean used) {
        this.routes = routes;
        this.used = used;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("idempotency.routes.suspended", this::count)
                .description("BizTypes that are suspended or wait for a trial")
                .register(registry);
    }

    private synchronized double count() {
        long now = System.nanoTime();
        if (used && now - askedNanos >= Duration.ofSeconds(SECONDS).toNanos()) {
            try {
                count = routes.get().suspended().size();
            } catch (StoreUnavailableException e) {
                log.debug("Suspended bizTypes could not be counted.", e);
                count = Double.NaN;
            } finally {
                askedNanos = System.nanoTime();
            }
        }
        return count;
    }
}
