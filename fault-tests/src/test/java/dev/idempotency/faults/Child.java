// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A process that a test has started. It ends with the test process at the latest; nothing else is ever signalled. */
final class Child implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static final int LAST_WORDS = 2_000;

    private final Process process;
    private final Path log;
    private final Thread lastResort;

    private Child(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.lastResort = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(lastResort);
    }

    static Child start(Path directory, String name, List<String> command, Map<String, String> environment) {
        try {
            Path log = Files.createTempFile(directory, name, ".log");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            builder.environment().putAll(environment);
            return new Child(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Fails with the process's own words if it has ended. */
    void mustLive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("a process of the test has ended by itself:\n" + log());
        }
    }

    private String log() {
        try {
            String all = Files.readString(log, StandardCharsets.UTF_8);
            return all.substring(Math.max(0, all.length() - LAST_WORDS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends it without warning; returns when it is gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
        Runtime.getRuntime().removeShutdownHook(lastResort);
    }

    /** Makes it stand still; returns when it does. */
    void pause() {
        signal("STOP");
        await().atMost(LIMIT).until(() -> run("ps", "-o", "state=", "-p", pid()).startsWith("T"));
    }

    /** Lets it go on. */
    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        run("kill", "-" + name, pid());
    }

    private String pid() {
        return Long.toString(process.pid());
    }

    private static String run(String... command) {
        try {
            Process helper =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(helper.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            helper.onExit().join();
            return output.strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
