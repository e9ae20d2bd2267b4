// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as operators get it: alone, without anything on the class path beside it. */
class MainIT {

    @TempDir
    private Path directory;

    @Test
    void theJarRunsByItself() throws Exception {
        assertThat(run("--help")).isZero();
        assertThat(Files.readString(directory.resolve("said"))).contains("storm", "conformance");
        assertThat(run("storm", "--url", "http://localhost:1", "--path", "/", "--deliveries", "1"))
                .isOne();
        assertThat(Files.readString(directory.resolve("said"))).contains("1 of 1 deliveries never got a 2xx");
        assertThat(run("conformance", "--url", "http://localhost:1")).isEqualTo(2);
    }

    private int run(String... args) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(java, "-XX:TieredStopAtLevel=1", "-jar", jar().toString());
        builder.command().addAll(List.of(args));
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroy();
        }
        assertThat(Files.readString(directory.resolve("said"), StandardCharsets.UTF_8))
                .doesNotContain("NoClassDefFoundError");
        return process.exitValue();
    }

    private static Path jar() throws Exception {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of("target"), "idempotency-tck-*.jar")) {
            for (Path jar : jars) {
                if (!jar.toString().endsWith("-sources.jar")) {
                    return jar;
                }
            }
        }
        throw new AssertionError("target has no jar: this test runs in the phase verify");
    }
}
