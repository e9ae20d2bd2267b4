// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.health;

import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** A health indicator of Spring Boot 4. */
public final class Boot4HealthIndicator implements HealthIndicator {

    private final StoreHealth store;

    public Boot4HealthIndicator(StoreHealth store) {
        this.store = store;
    }

    @Override
    public Health health() {
        Map.Entry<String, Map<String, Object>> found = store.check();
        return Health.status(found.getKey()).withDetails(found.getValue()).build();
    }
}
