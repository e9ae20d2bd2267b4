// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.app.Point;
import dev.idempotency.faults.history.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A table of what was tried and what came of it, on the console and in a file. */
final class Table {

    private static final Path FILE = Path.of(System.getProperty("faults.table", "target/faults.md"));

    /** What came of each fault. */
    static final Table FAULTS =
            new Table(FILE, List.of("fault", "operations", "calls", "hit", "effects", "duplicates", "detected"));

    /** Where the calls were that each fault has hit. */
    static final Table STEPS = new Table(
            FILE.resolveSibling("steps.md"),
            Stream.concat(Stream.of("hit"), Arrays.stream(Point.values()).map(Table::words))
                    .toList());

    private final Path file;
    private final List<String> head;
    private boolean begun;

    private Table(Path file, List<String> head) {
        this.file = file;
        this.head = head;
    }

    private static String words(Point point) {
        return point.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    void add(String fault, Verdict verdict) {
        String detected = verdict.detected().entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
        add(List.of(
                fault,
                verdict.operations(),
                verdict.calls(),
                verdict.hit(),
                verdict.effects(),
                verdict.duplicates(),
                detected.isEmpty() ? "-" : detected));
    }

    void add(String fault, Map<Point, Integer> hits) {
        List<Object> cells = new ArrayList<>(List.of(fault));
        Arrays.stream(Point.values()).forEach(point -> cells.add(hits.getOrDefault(point, 0)));
        add(cells);
    }

    private synchronized void add(List<?> cells) {
        String lines = line(cells);
        if (!begun) {
            lines = line(head) + "|" + " --- |".repeat(head.size()) + "\n" + lines;
        }
        System.out.print(lines);
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            if (!begun) {
                Files.writeString(file, lines);
            } else {
                Files.writeString(file, lines, StandardOpenOption.APPEND);
            }
            begun = true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(List<?> cells) {
        return cells.stream().map(String::valueOf).collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
