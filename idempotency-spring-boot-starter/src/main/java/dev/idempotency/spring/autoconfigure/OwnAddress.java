// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import java.net.URI;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** Where this instance reaches itself: as configured, or on its own port of this machine. */
final class OwnAddress implements Supplier<URI> {

    private static final List<String> SSL =
            List.of("server.ssl.bundle", "server.ssl.key-store", "server.ssl.certificate");

    private final Environment environment;
    private final @Nullable URI configured;

    OwnAddress(Environment environment, @Nullable URI configured) {
        this.environment = environment;
        this.configured = configured;
    }

    @Override
    public URI get() {
        if (configured != null) {
            return configured;
        }
        String port = environment.getProperty("local.server.port");
        if (port == null) {
            throw new IllegalStateException(
                    "this instance does not know its own port; idempotency.dead-letters.redrive.base-url must tell it");
        }
        String host = environment.getProperty("server.address", "localhost");
        return URI.create(
                (isSecure() ? "https://" : "http://") + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    }

    private boolean isSecure() {
        return environment.getProperty("server.ssl.enabled", Boolean.class, true)
                && SSL.stream().anyMatch(environment::containsProperty);
    }
}
