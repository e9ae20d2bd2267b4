// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.metrics;

import dev.idempotency.Routes;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;

/**
 * How many bizTypes are suspended or wait for a trial: {@code idempotency.routes.suspended}. The store is asked at most every
 * five seconds, and not at all while no bizType can be suspended; while it gives no answer there is no number.
 */
public final class RouteMeters implements MeterBinder {

    private final RecentAnswer<Double> count;

    /**
     * A meter.
     *
     * @param used whether there is a bizType that can be suspended
     */
    public RouteMeters(Supplier<Routes> routes, boolean used) {
        this.count = new RecentAnswer<>(
                () -> used ? (double) routes.get().suspended().size() : 0, Double.NaN);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("idempotency.routes.suspended", count::get)
                .description("BizTypes that are suspended or wait for a trial")
                .register(registry);
    }
}
