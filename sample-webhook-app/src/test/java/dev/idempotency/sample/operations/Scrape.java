// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.operations;

import dev.idempotency.sample.operations.PromQl.Matcher;
import dev.idempotency.sample.operations.PromQl.Selector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The series of a scrape in Prometheus' text format. */
record Scrape(Map<String, List<Map<String, String>>> series) {

    /** Labels that Prometheus adds by itself. */
    static final Set<String> TARGET = Set.of("job", "instance");

    private static final Pattern OBSERVED = Pattern.compile("idempotency_(attempt|replay)_");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]\\w*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    static Scrape parse(String text) {
        Map<String, List<Map<String, String>>> series = new LinkedHashMap<>();
        text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(line -> {
            int end = line.indexOf('{') < 0 ? line.indexOf(' ') : line.indexOf('{');
            Map<String, String> labels = new LinkedHashMap<>();
            LABEL.matcher(line).results().forEach(label -> labels.put(label.group(1), label.group(2)));
            series.computeIfAbsent(line.substring(0, end), name -> new ArrayList<>())
                    .add(labels);
        });
        return new Scrape(series);
    }

    /** Our own metrics, without the timers that the registry makes of observations by itself. */
    Set<String> ours() {
        Set<String> ours = new TreeSet<>(series.keySet());
        ours.removeIf(name ->
                !name.startsWith("idempotency_") || OBSERVED.matcher(name).lookingAt());
        return ours;
    }

    /** What is wrong with the selector: a metric, a label or a value that is not there, or that nothing is selected. */
    List<String> faults(Selector selector) {
        List<Map<String, String>> all = series.getOrDefault(selector.metric(), List.of());
        if (all.isEmpty()) {
            return List.of("no metric " + selector.metric());
        }
        List<String> faults = new ArrayList<>();
        for (Matcher matcher : selector.matchers()) {
            matcher.values().stream()
                    .filter(value -> all.stream().noneMatch(labels -> value.equals(labels.get(matcher.label()))))
                    .forEach(value ->
                            faults.add("no " + selector.metric() + "{" + matcher.label() + "=\"" + value + "\"}"));
            if (!has(selector.metric(), matcher.label())) {
                faults.add("no label " + matcher.label() + " of " + selector.metric());
            }
        }
        if (all.stream()
                .noneMatch(labels -> selector.matchers().stream().allMatch(matcher -> matches(matcher, labels)))) {
            faults.add("nothing is selected by " + selector);
        }
        return faults;
    }

    boolean has(String metric, String label) {
        return TARGET.contains(label)
                || series.getOrDefault(metric, List.of()).stream().anyMatch(labels -> labels.containsKey(label));
    }

    private static boolean matches(Matcher matcher, Map<String, String> labels) {
        if (matcher.values().isEmpty() || TARGET.contains(matcher.label())) {
            return true;
        }
        boolean named = matcher.values().contains(labels.get(matcher.label()));
        return matcher.operator().startsWith("!") != named;
    }
}
