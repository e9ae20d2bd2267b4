// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;
import redis.embedded.RedisServer;

/**
 * A real Redis server for tests: the one at {@code host:port} in the environment variable
 * {@value #ADDRESS_VARIABLE} if that is set, else a container where Docker runs, else the server inside the
 * embedded-redis artifact. Where none of them starts, asking for one fails; it never skips.
 */
public final class TestRedis implements AutoCloseable {

    /** Names a running server, {@code host:port}. */
    public static final String ADDRESS_VARIABLE = "IDEMPOTENCY_TEST_REDIS";

    /** Names another image than redis:7.4-alpine for the container, such as valkey/valkey:8-alpine. */
    public static final String IMAGE_VARIABLE = "IDEMPOTENCY_TEST_REDIS_IMAGE";

    private static final String IMAGE = "redis:7.4-alpine";
    private static final int ATTEMPTS = 3;

    private static TestRedis shared;

    private final Server server;

    private TestRedis(Server server) {
        this.server = server;
    }

    /** The server that all tests of this process share; it cannot be stopped, and what it holds is anybody's. */
    public static synchronized TestRedis shared() {
        if (shared == null) {
            shared = openShared();
        }
        return shared;
    }

    private static TestRedis openShared() {
        String address = System.getenv(ADDRESS_VARIABLE);
        if (address != null && !address.isBlank()) {
            return new TestRedis(External.at(address));
        }
        TestRedis started = startPrivate();
        Runtime.getRuntime().addShutdownHook(new Thread(started::stop));
        return new TestRedis(new External(started.host(), started.port()));
    }

    /** A server of one's own, which may be stopped and started again; never the one of the environment variable. */
    public static TestRedis startPrivate() {
        List<Exception> failures = new ArrayList<>();
        for (int i = 0; i < ATTEMPTS; i++) {
            // Another process may take the port between the look for it and the start.
            Server server = isDockerAvailable() ? new Container(freePort()) : new Embedded(freePort());
            try {
                server.start();
                return new TestRedis(server);
            } catch (Exception e) {
                failures.add(e);
            }
        }
        IllegalStateException failure = new IllegalStateException(
                "tests need a Redis server: set " + ADDRESS_VARIABLE + " to host:port, run Docker, or use a machine"
                        + " that the server inside embedded-redis runs on",
                failures.get(0));
        failures.stream().skip(1).forEach(failure::addSuppressed);
        throw failure;
    }

    public String host() {
        return server.host();
    }

    public int port() {
        return server.port();
    }

    /** Stops a private server; {@link #start} brings it back empty on the same port. */
    public void stop() {
        try {
            server.stop();
        } catch (IOException e) {
            throw new IllegalStateException("the test's Redis server did not stop", e);
        }
    }

    /** Starts a private server again. */
    public void start() {
        try {
            server.start();
        } catch (IOException e) {
            throw new IllegalStateException("the test's Redis server did not start again", e);
        }
    }

    /** Stops a private server for good; the shared one runs until the process ends. */
    @Override
    public void close() {
        if (!(server instanceof External)) {
            stop();
        }
    }

    private static boolean isDockerAvailable() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("no free port on this machine", e);
        }
    }

    private interface Server {
        String host();

        int port();

        void start() throws IOException;

        void stop() throws IOException;
    }

    /** A server that somebody else starts and stops. */
    private record External(String host, int port) implements Server {

        static External at(String address) {
            int colon = address.lastIndexOf(':');
            String host = address.substring(0, Math.max(0, colon));
            try {
                int port = Integer.parseInt(address.substring(colon + 1));
                new Socket(host, port).close();
                return new External(host, port);
            } catch (IllegalArgumentException | IOException e) {
                throw new IllegalStateException(
                        ADDRESS_VARIABLE + " must name a running server as host:port, but is '" + address + "'", e);
            }
        }

        @Override
        public void start() {
            throw new UnsupportedOperationException("a shared server is not a test's to start");
        }

        @Override
        public void stop() {
            throw new UnsupportedOperationException("a shared server is not a test's to stop");
        }
    }

    private static final class Container implements Server {

        private final int port;
        private FixedPortRedis running;

        Container(int port) {
            this.port = port;
            this.running = new FixedPortRedis(port);
        }

        @Override
        public String host() {
            return running.getHost();
        }

        @Override
        public int port() {
            return port;
        }

        @Override
        public void start() {
            running = new FixedPortRedis(port);
            running.start();
        }

        @Override
        public void stop() {
            running.stop();
        }
    }

    private static final class FixedPortRedis extends GenericContainer<FixedPortRedis> {

        FixedPortRedis(int hostPort) {
            super(DockerImageName.parse(Objects.requireNonNullElse(System.getenv(IMAGE_VARIABLE), IMAGE)));
            addFixedExposedPort(hostPort, 6379);
            withCommand("--save", ""); // each image begins with its own server
        }
    }

    private static final class Embedded implements Server {

        private final int port;
        private RedisServer running;

        Embedded(int port) {
            this.port = port;
        }

        @Override
        public String host() {
            return InetAddress.getLoopbackAddress().getHostAddress();
        }

        @Override
        public int port() {
            return port;
        }

        @Override
        public void start() throws IOException {
            running = RedisServer.newRedisServer()
                    .port(port)
                    .bind(host())
                    .setting("save \"\"")
                    .build();
            running.start();
        }

        @Override
        public void stop() throws IOException {
            running.stop();
        }
    }
}
