// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.awaitility.Awaitility.await;

import dev.idempotency.faults.history.Event.KeyFound;
import dev.idempotency.faults.history.History;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis server that can be killed: the program that the environment variable {@value #PROGRAM_VARIABLE} names, else the
 * one in the embedded-redis artifact. No server in a container or of somebody else will do, as it could not be killed.
 */
final class RedisProcess implements AutoCloseable {

    /** Names a redis-server program. */
    static final String PROGRAM_VARIABLE = "IDEMPOTENCY_TEST_REDIS_SERVER";

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static File program;

    private final Path directory;
    private final int port;
    private Child child;

    private RedisProcess(Path directory, int port) {
        this.directory = directory;
        this.port = port;
    }

    /** Starts a server on a port of its own; settings as on its command line. */
    static RedisProcess start(Path directory, int port, List<String> settings) {
        RedisProcess server = new RedisProcess(directory, port);
        server.start(settings);
        return server;
    }

    /** Starts a sentinel on a port of its own, which watches over one primary and its replicas. */
    static RedisProcess startSentinel(Path directory, int port, String group, int primary, int quorum) {
        Path configuration = directory.resolve("sentinel" + port + ".conf");
        try {
            Files.writeString(configuration, """
                    port %d
                    bind 127.0.0.1
                    sentinel monitor %s 127.0.0.1 %d %d
                    sentinel down-after-milliseconds %2$s 500
                    sentinel failover-timeout %2$s 3000
                    """.formatted(port, group, primary, quorum));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        RedisProcess sentinel = new RedisProcess(directory, port);
        sentinel.run(List.of(configuration.toString(), "--sentinel"));
        return sentinel;
    }

    /** Starts it, again if need be, with the same port and directory; returns when it answers. */
    void start(List<String> settings) {
        List<String> all = new ArrayList<>(settings);
        all.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1", "--save", ""));
        run(all);
    }

    private void run(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(program().toString()));
        command.addAll(arguments);
        child = Child.start(directory, "redis" + port, command, Map.of());
        await().atMost(LIMIT).until(() -> {
            child.mustLive();
            return isAnswering();
        });
    }

    private boolean isAnswering() {
        try (RespClient client = new RespClient(port)) {
            return "PONG".equals(client.call("PING"));
        } catch (UncheckedIOException | IllegalStateException e) {
            return false;
        }
    }

    private static synchronized File program() {
        String named = System.getenv(PROGRAM_VARIABLE);
        if (named != null && !named.isBlank()) {
            return new File(named);
        }
        if (program == null) {
            try {
                program = ExecutableProvider.newJarResourceProvider().get();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return program;
    }

    int port() {
        return port;
    }

    Child process() {
        return child;
    }

    RespClient connect() {
        return new RespClient(port);
    }

    /** Writes every key of the server down, with its time to live. */
    void scan(History history) {
        try (RespClient client = connect()) {
            for (Object key : (List<?>) client.call("KEYS", "*")) {
                history.add(new KeyFound(key.toString(), (Long) client.call("PTTL", key.toString())));
            }
        }
    }

    @Override
    public void close() {
        child.close();
    }
}
