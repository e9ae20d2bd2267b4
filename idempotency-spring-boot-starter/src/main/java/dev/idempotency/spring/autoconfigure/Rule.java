// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import org.jspecify.annotations.Nullable;

/** A rule on a property under {@code idempotency}; breaking it stops the start with one sentence. */
final class Rule {

    private final String property;

    private Rule(String property) {
        this.property = property;
    }

    static Rule property(String name) {
        return new Rule("idempotency." + name);
    }

    void holds(boolean condition, String rule, @Nullable Object actual) {
        if (!condition) {
            throw new InvalidConfigurationException(property + " " + rule + ", but is " + actual);
        }
    }
}
