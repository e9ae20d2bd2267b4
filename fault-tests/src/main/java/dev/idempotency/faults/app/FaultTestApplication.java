// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

import java.time.Instant;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** One instance. Its driver's port and its own name come as {@code faults.*} properties. */
@SpringBootApplication
public class FaultTestApplication {

    private final Environment environment;

    FaultTestApplication(Environment environment) {
        this.environment = environment;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(FaultTestApplication.class, arguments);
    }

    @Bean
    static DriverLine driverLine(@Value("${faults.driver}") int port, @Value("${faults.instance}") String instance) {
        return new DriverLine(port, instance);
    }

    @Bean
    static Holds holds(DriverLine driver) {
        return new Holds(driver);
    }

    @Bean
    static StoreSteps storeSteps(DriverLine driver, Holds holds) {
        return new StoreSteps(driver, holds);
    }

    @Bean
    static StoreWatch storeWatch(StoreSteps steps) {
        return new StoreWatch(steps);
    }

    @Bean
    Reporter reporter(DriverLine driver, StoreSteps steps) {
        return new Reporter(driver, steps);
    }

    @Bean
    FilterRegistrationBean<CallFilter> callFilter(Holds holds) {
        FilterRegistrationBean<CallFilter> registration = new FilterRegistrationBean<>(new CallFilter(holds));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "faults.joined", havingValue = false, matchIfMissing = true)
    EffectLog effectLog(DriverLine driver) {
        return (operation, attempt, version) -> driver.say("effect", operation, attempt, version);
    }

    @EventListener
    void ready(ApplicationReadyEvent event) {
        event.getApplicationContext()
                .getBean(DriverLine.class)
                .say("ready", environment.getRequiredProperty("local.server.port"), Instant.now());
    }
}
