// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

/** A server of the embedded-redis artifact on this machine, for what containers cannot do to each other. */
final class LocalRedis implements AutoCloseable {

    static final String HOST = "127.0.0.1";

    private final RedisServer server;
    private final int port;

    private LocalRedis(int port, Consumer<RedisServerBuilder> settings) {
        this.port = port;
        try {
            RedisServerBuilder builder = RedisServer.newRedisServer()
                    .port(port)
                    .bind(HOST)
                    .setting("save \"\"")
                    .setting("repl-diskless-sync-delay 0");
            settings.accept(builder);
            this.server = builder.build();
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static LocalRedis start() {
        return start(settings -> {});
    }

    static LocalRedis start(Consumer<RedisServerBuilder> settings) {
        return new LocalRedis(freePort(), settings);
    }

    static LocalRedis replicaOf(LocalRedis primary) {
        return start(settings -> settings.slaveOf(HOST, primary.port));
    }

    int port() {
        return port;
    }

    void stop() {
        try {
            server.stop();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void restart() {
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the process where it is; its connections stay open. */
    void pause() {
        signal("STOP", processId());
    }

    void resume(long processId) {
        signal("CONT", processId);
    }

    long processId() {
        return Long.parseLong(info("server").getProperty("process_id"));
    }

    static void signal(String name, long processId) {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, Long.toString(processId))
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill -" + name + " gave " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    Properties info(String section) {
        return on(connection -> connection.serverCommands().info(section));
    }

    /** Runs a command of words. */
    Object command(String name, String... arguments) {
        byte[][] bytes = new byte[arguments.length][];
        for (int i = 0; i < arguments.length; i++) {
            bytes[i] = arguments[i].getBytes(StandardCharsets.UTF_8);
        }
        return on(connection -> connection.execute(name, bytes));
    }

    <T> T on(Function<RedisConnection, T> commands) {
        LettuceConnectionFactory factory = TestConnections.lettuce(HOST, port);
        try {
            return TestConnections.on(factory, commands);
        } finally {
            factory.destroy();
        }
    }

    @Override
    public void close() {
        stop();
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("no free port on this machine", e);
        }
    }
}
