// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each test that the page of guarantees names exists. */
class GuaranteesTest {

    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+(?:Test|IT|Rules))(?:#(\\w+))?`");

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        Path project = Path.of("").toAbsolutePath().getParent();
        List<Path> sources;
        try (Stream<Path> files = Files.walk(project)) {
            sources = files.filter(file -> file.toString().contains("src/test/java"))
                    .toList();
        }
        String page = Files.readString(project.resolve("docs/guarantees.md"));
        List<MatchResult> named = NAMED.matcher(page).results().toList();

        assertThat(named).hasSizeGreaterThan(20).allSatisfy(name -> {
            Path source = sources.stream()
                    .filter(file -> file.endsWith(name.group(1) + ".java"))
                    .findAny()
                    .orElseThrow(() -> new AssertionError("there is no " + name.group()));
            if (name.group(2) != null) {
                assertThat(Files.readString(source)).contains("void " + name.group(2) + "(");
            }
        });
    }
}
