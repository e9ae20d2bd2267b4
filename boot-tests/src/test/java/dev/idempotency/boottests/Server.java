// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import java.util.ArrayList;
import java.util.List;
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

    /** Starts an instance on a free port with records where the build says. */
    static Server start(String... properties) {
        List<String> arguments = new ArrayList<>(Stores.properties());
        arguments.add("server.port=0");
        arguments.addAll(List.of(properties));
        return new Server(new SpringApplicationBuilder(BootTestsApplication.class)
                .run(arguments.stream().map(property -> "--" + property).toArray(String[]::new)));
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
