// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The bash lines of a page of the documentation, run as they are by the machine's own programs. */
public final class GuideScript {

    private static final Pattern LINES = Pattern.compile("```bash\\n(.*?)```", Pattern.DOTALL);

    private GuideScript() {}

    /** Every block of bash lines, in the page's order. */
    public static List<String> blocks(String page) throws IOException {
        return LINES.matcher(Files.readString(Path.of("../docs").resolve(page)))
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }

    /**
     * Runs lines in one shell, in the project's directory, which ends with the first one that fails; what they print.
     *
     * @param directory for the script and what it writes
     * @param addressVariable name of the environment variable that has the sample's address
     */
    public static String run(String lines, Path directory, String addressVariable, int port)
            throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("guide.sh"), lines);
        Path output = directory.resolve("output");
        ProcessBuilder bash = new ProcessBuilder("bash", "-euo", "pipefail", file.toString());
        bash.environment().put(addressVariable, "http://localhost:" + port);
        bash.environment().put("TMPDIR", directory.toString());
        Process process = bash.directory(Path.of("..").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroy();
        }
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
