// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import org.springframework.core.env.Environment;

/** The name that keeps an application's records apart from those of others in the same store. */
final class Namespaces {

    static final String UNNAMED = "application";

    private Namespaces() {}

    static String of(IdempotencyProperties properties, Environment environment) {
        if (properties.namespace() != null) {
            return properties.namespace();
        }
        String name = environment.getProperty("spring.application.name", "").replace(':', '_');
        return name.isBlank() ? UNNAMED : name;
    }
}
