// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.storm;

import dev.idempotency.sample.Effects;
import dev.idempotency.sample.SampleWebhookApplication;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The application, started on random ports with a database of its own: once, or twice if the instances have Redis to
 * agree through.
 */
final class Receivers implements AutoCloseable {

    private final List<ConfigurableApplicationContext> instances = new ArrayList<>();

    private Receivers() {}

    /**
     * Starts them.
     *
     * @param protection whether the library is switched on
     * @param args the application's own, such as {@code --spring.profiles.active=redis}
     */
    static Receivers start(boolean protection, String... args) {
        String name = "storm-" + UUID.randomUUID();
        List<String> all = new ArrayList<>(Arrays.asList(args));
        all.add("--server.port=0");
        all.add("--spring.datasource.url=jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
        all.add("--idempotency.enabled=" + protection);
        all.add("--idempotency.namespace=" + name); // records of an earlier storm must not answer this one
        all.add("--spring.main.banner-mode=off");
        all.add("--logging.level.root=warn");

        Receivers receivers = new Receivers();
        try {
            do {
                receivers.instances.add(
                        new SpringApplicationBuilder(SampleWebhookApplication.class).run(all.toArray(String[]::new)));
            } while (receivers.instances.size() < receivers.wanted());
        } catch (RuntimeException e) {
            receivers.close();
            throw e;
        }
        return receivers;
    }

    List<URI> addresses() {
        return instances.stream()
                .map(instance -> URI.create(
                        "http://localhost:" + instance.getEnvironment().getRequiredProperty("local.server.port")))
                .toList();
    }

    /** The effects of all instances, which share one database. */
    Effects effects() {
        return instances.get(0).getBean(Effects.class);
    }

    @Override
    public void close() {
        instances.forEach(ConfigurableApplicationContext::close);
    }

    private int wanted() {
        return instances.get(0).getEnvironment().matchesProfiles("redis") ? 2 : 1;
    }
}
