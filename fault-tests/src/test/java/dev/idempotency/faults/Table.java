// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.history.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Collectors;

/** The table of what was tried and what came of it, on the console and in a file. */
final class Table {

    private static final String HEAD = """
            | fault | operations | calls | effects | duplicates | detected |
            | --- | ---: | ---: | ---: | ---: | --- |
            """;

    private static final Path FILE = Path.of(System.getProperty("faults.table", "target/faults.md"));

    private static boolean begun;

    private Table() {}

    static synchronized void add(String fault, Verdict verdict) {
        String detected = verdict.detected().entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
        String line = "| %s | %d | %d | %d | %d | %s |%n"
                .formatted(
                        fault,
                        verdict.operations(),
                        verdict.calls(),
                        verdict.effects(),
                        verdict.duplicates(),
                        detected.isEmpty() ? "-" : detected);
        System.out.print(begun ? line : HEAD + line);
        try {
            Files.createDirectories(FILE.toAbsolutePath().getParent());
            if (!begun) {
                Files.writeString(FILE, HEAD);
            }
            Files.writeString(FILE, line, StandardOpenOption.APPEND);
            begun = true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
