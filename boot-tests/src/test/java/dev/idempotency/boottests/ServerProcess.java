// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One instance in a process of its own, to be killed or paused. */
final class ServerProcess implements AutoCloseable {

    private final Process process;
    private final HttpTarget http;

    private ServerProcess(Process process, HttpTarget http) {
        this.process = process;
        this.http = http;
    }

    /**
     * Starts one.
     *
     * @param directory where it writes its log
     * @param effects the file that it appends its effects to
     */
    static ServerProcess start(Path directory, Path effects, String... properties) throws IOException {
        Path portFile = Files.createTempFile(directory, "port", "");
        Files.delete(portFile);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Deffects.file=" + effects,
                "-Dport.file=" + portFile,
                BootTestsApplication.class.getName(),
                "--server.port=0"));
        Stores.properties().forEach(property -> command.add("--" + property));
        List.of(properties).forEach(property -> command.add("--" + property));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        Files.createTempFile(directory, "server", ".log").toFile())
                .start();
        try {
            await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(portFile));
            return new ServerProcess(process, new HttpTarget(Integer.parseInt(Files.readString(portFile))));
        } catch (RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    HttpTarget http() {
        return http;
    }

    /** Ends it without warning. */
    void kill() throws Exception {
        process.destroyForcibly().waitFor();
    }

    /** Stops its clock, so to speak: it neither works nor renews until it is resumed. */
    void pause() throws Exception {
        signal("STOP");
    }

    void resume() throws Exception {
        signal("CONT");
    }

    private void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
