// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** One running instance of the application under test. */
final class Server implements AutoCloseable {

    private final ConfigurableApplicationContext context;
    private final HttpTarget http;

    private Server(ConfigurableApplicationContext context) {
        this.context = context;
        this.http = new HttpTarget(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    /** Starts an instance on a free port with records where the build, or else a property given here, says. */
    static Server start(String... properties) {
        Map<String, String> arguments = new LinkedHashMap<>();
        Stream.of(Stores.properties().stream(), Stream.of("server.port=0"), Stream.of(properties))
                .flatMap(stream -> stream)
                .forEach(property -> arguments.put(property.split("=", 2)[0], "--" + property));
        return new Server(new SpringApplicationBuilder(BootTestsApplication.class)
                .run(arguments.values().toArray(String[]::new)));
    }

    HttpTarget http() {
        return http;
    }

    StoreProbe store() {
        return context.getBean(StoreProbe.class);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }
}
