// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import dev.idempotency.spring.web.IdempotencyFilter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** However many keys, paths and users there are, there are no more meters. */
class MeterGrowthTest {

    private static final int MANY = 10_000;
    private static final int FEW = 50;

    /** So few that those already cool down among the first calls. */
    private static final int FAILING = 5;

    @RestController
    static class Orders {

        @PostMapping("/orders/{id}")
        @Idempotent(bizType = "order")
        String create(@PathVariable String id) {
            return id;
        }
    }

    @Test
    void manyKeysPathsAndUsersMakeNoMoreMetersThanAFew() {
        TestApplications.web(Orders.class)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues("idempotency.route-breaker.failures=200", "idempotency.biz-types.order.timeout=10m")
                .run(context -> {
                    IdempotencyFilter filter = context.getBean(IdempotencyFilter.class);
                    SimpleMeterRegistry meters = context.getBean(SimpleMeterRegistry.class);
                    send(filter, 0, FEW);
                    Set<Meter.Id> few = ids(meters);

                    send(filter, FEW, MANY);

                    assertThat(few).isNotEmpty();
                    assertThat(ids(meters)).isEqualTo(few);
                    assertThat(meters.get("idempotency.requests")
                                    .tag("outcome", "succeeded")
                                    .counter()
                                    .count())
                            .isEqualTo(MANY);
                    assertThat(few.toString()).doesNotContain("key-1", "user-1", "/orders", "unknown");
                });
    }

    /** Each a first call, its repeat, one with other content, one that fails, and one to a path that there is not. */
    private static void send(IdempotencyFilter filter, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            for (String content : new String[] {"first", "first", "other"}) {
                send(filter, "/orders/" + i, "key-" + i, "user-" + i, content, 200);
            }
            send(filter, "/orders/failing-" + i % FAILING, "key-" + i % FAILING, "user-" + i % FAILING, "first", 500);
            send(filter, "/unknown/" + i, "key-" + i, "user-" + i, "first", 200);
        }
    }

    private static void send(IdempotencyFilter filter, String path, String key, String user, String content, int status)
            throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", path);
        request.setServletPath(path);
        request.addHeader("X-Idempotency-Key", key);
        request.setUserPrincipal(() -> user);
        request.setContentType("text/plain");
        request.setContent(content.getBytes(StandardCharsets.UTF_8));
        FilterChain chain = (handled, answer) -> ((HttpServletResponse) answer).setStatus(status);
        filter.doFilter(request, new MockHttpServletResponse(), chain);
    }

    private static Set<Meter.Id> ids(MeterRegistry meters) {
        return meters.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.getName().startsWith("idempotency."))
                .collect(Collectors.toSet());
    }
}
