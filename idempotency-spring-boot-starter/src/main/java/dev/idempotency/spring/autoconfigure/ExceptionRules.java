// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.event.AttemptEnd;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Reads which exceptions end an attempt in which way. */
final class ExceptionRules {

    private final Map<Class<?>, AttemptEnd> rules = new HashMap<>();

    /**
     * Adds some.
     *
     * @throws IllegalArgumentException if a name is not that of an exception's class, or has a rule already
     */
    ExceptionRules with(String property, List<String> classNames, AttemptEnd end) {
        for (String name : classNames) {
            if (rules.put(exception(property, name), end) != null) {
                throw new IllegalArgumentException(property + " must not name an exception twice, but has " + name);
            }
        }
        return this;
    }

    private static Class<?> exception(String property, String name) {
        Class<?> type;
        try {
            type = ClassUtils.forName(name, null);
        } catch (ClassNotFoundException | LinkageError e) {
            throw notAnException(property, name, e);
        }
        if (!Throwable.class.isAssignableFrom(type)) {
            throw notAnException(property, name, null);
        }
        return type;
    }

    private static IllegalArgumentException notAnException(String property, String name, @Nullable Throwable cause) {
        return new IllegalArgumentException(property + " must name classes of exceptions, but has " + name, cause);
    }

    Map<Class<?>, AttemptEnd> toMap() {
        return rules;
    }
}
