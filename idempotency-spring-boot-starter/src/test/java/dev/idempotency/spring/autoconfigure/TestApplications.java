// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.Idempotent;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** What the tests of the auto-configuration run. */
final class TestApplications {

    static final AutoConfigurations ALL = AutoConfigurations.of(
            TransactionAutoConfiguration.class,
            IdempotencyAutoConfiguration.class,
            JdbcStoreAutoConfiguration.class,
            JsonAutoConfiguration.class,
            MetricsIdempotencyAutoConfiguration.class,
            RedisStoreAutoConfiguration.class,
            WebIdempotencyAutoConfiguration.class,
            WebhookAutoConfiguration.class);

    private TestApplications() {}

    static WebApplicationContextRunner web() {
        return new WebApplicationContextRunner().withConfiguration(ALL).withUserConfiguration(Mvc.class);
    }

    /** An application with Spring MVC and these controllers. */
    static WebApplicationContextRunner web(Class<?>... controllers) {
        return web().withUserConfiguration(controllers);
    }

    @EnableWebMvc
    @Configuration(proxyBeanMethods = false)
    static class Mvc {}

    @RestController
    static class Orders {

        @PostMapping("/orders")
        @Idempotent(bizType = "order")
        String create() {
            return "created";
        }
    }
}
