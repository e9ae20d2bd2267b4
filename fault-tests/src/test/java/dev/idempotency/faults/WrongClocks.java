// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.clock.WrongClockAgent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * How to start an application whose wall clock is wrong: with libfaketime if the machine has it, which shifts the clock of
 * the whole process, else with an agent, which shifts that of every class but the JDK's own.
 */
record WrongClocks(String means, Map<String, String> environment, List<String> jvm) {

    /** Names the library, if it is not where Debian puts it. */
    static final String LIBRARY_VARIABLE = "IDEMPOTENCY_TEST_FAKETIME";

    static WrongClocks ahead(Path directory, Duration ahead) {
        return Stream.of(
                        String.valueOf(System.getenv(LIBRARY_VARIABLE)),
                        "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
                        "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1")
                .filter(library -> Files.exists(Path.of(library)))
                .findFirst()
                .map(library -> withLibrary(library, ahead))
                .orElseGet(() -> withAgent(directory, ahead));
    }

    /** Time-outs use the monotonic clock, which is right on a machine with a wrong wall clock. */
    private static WrongClocks withLibrary(String library, Duration ahead) {
        return new WrongClocks(
                "libfaketime",
                Map.of(
                        "LD_PRELOAD",
                        library,
                        "FAKETIME",
                        (ahead.isNegative() ? "" : "+") + ahead.toSeconds(),
                        "FAKETIME_DONT_FAKE_MONOTONIC",
                        "1",
                        "FAKETIME_FORCE_MONOTONIC_FIX",
                        "0"),
                List.of());
    }

    static WrongClocks withAgent(Path directory, Duration ahead) {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), WrongClockAgent.class.getName());
        try {
            Path jar = Files.createTempFile(directory, "wrong-clock", ".jar");
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
                out.finish();
            }
            return new WrongClocks("agent", Map.of(), List.of("-javaagent:" + jar + "=" + ahead.toMillis()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
