// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What stands behind a command. Every option that nobody asked for in the end is a mistake. */
final class Options {

    private static final Set<String> FLAGS = Set.of("--reorder", "--honour-retry-after", "--no-key-header");

    private final Map<String, List<String>> values;
    private final Set<String> unread;

    private Options(Map<String, List<String>> values) {
        this.values = values;
        this.unread = new TreeSet<>(values.keySet());
    }

    static Options parse(List<String> words) {
        Map<String, List<String>> values = new HashMap<>();
        for (int i = 0; i < words.size(); i++) {
            String name = words.get(i);
            if (!name.startsWith("--")) {
                throw new IllegalArgumentException("an option must begin with --, but is " + name);
            }
            String value = "";
            if (!FLAGS.contains(name)) {
                i++;
                if (i == words.size()) {
                    throw new IllegalArgumentException(name + " must have a value");
                }
                value = words.get(i);
            }
            values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
        }
        return new Options(values);
    }

    List<String> all(String name) {
        unread.remove(name);
        return values.getOrDefault(name, List.of());
    }

    Optional<String> value(String name) {
        List<String> given = all(name);
        if (given.size() > 1) {
            throw new IllegalArgumentException(name + " must be given once");
        }
        return given.stream().findFirst();
    }

    String required(String name) {
        return value(name).orElseThrow(() -> new IllegalArgumentException(name + " must be given"));
    }

    boolean flag(String name) {
        return !all(name).isEmpty();
    }

    Optional<Integer> count(String name) {
        return value(name).map(text -> number(name, text).intValue());
    }

    Optional<Double> decimal(String name) {
        return value(name).map(text -> number(name, text));
    }

    Optional<Long> whole(String name) {
        return value(name).map(text -> number(name, text).longValue());
    }

    Optional<Duration> duration(String name) {
        return value(name).map(text -> {
            try {
                return Duration.parse(text);
            } catch (DateTimeParseException e) {
                throw new IllegalArgumentException(name + " must be a duration such as PT5S, but is " + text, e);
            }
        });
    }

    private static Double number(String name, String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a number, but is " + text, e);
        }
    }

    void refuseUnread() {
        if (!unread.isEmpty()) {
            throw new IllegalArgumentException("no such option: " + String.join(", ", unread));
        }
    }
}
