// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boot3;

import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** A health indicator of Spring Boot 3 that is told its status and details by somebody else. */
public final class Boot3HealthIndicator implements HealthIndicator {

    private final Supplier<Map.Entry<String, Map<String, Object>>> check;

    /**
     * An indicator.
     *
     * @param check asked each time: the code of a status, and the details
     */
    public Boot3HealthIndicator(Supplier<Map.Entry<String, Map<String, Object>>> check) {
        this.check = check;
    }

    @Override
    public Health health() {
        Map.Entry<String, Map<String, Object>> found = check.get();
        return Health.status(found.getKey()).withDetails(found.getValue()).build();
    }
}
