// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.history.History;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One Redis server, and applications each with a link of its own to it. Closing it ends them all. */
final class RedisRig implements AutoCloseable {

    private static final List<String> DURABLE = List.of("--appendonly", "yes", "--appendfsync", "always");
    private static final List<String> FORGETFUL = List.of("--appendonly", "no");

    private static RedisRig shared;

    private final Path directory;
    private final Driver driver = new Driver();
    private final RedisProcess server;
    private final List<Node> nodes = new ArrayList<>();
    private Node victim;
    private Node other;

    /** An application and its link to the server. */
    record Node(Instance instance, Link link) {}

    private RedisRig(Path directory) {
        this.directory = directory;
        this.server = RedisProcess.start(directory, Ports.free(), DURABLE);
    }

    /** One without applications. */
    static RedisRig open(Path directory) {
        return new RedisRig(directory);
    }

    /** The one, with two applications, that several tests use one after the other; it ends with the test process. */
    static synchronized RedisRig shared() {
        if (shared == null) {
            shared = open(Directories.create("redis"));
            shared.victim = shared.startNode();
            shared.other = shared.startNode();
        }
        shared.victim.instance().awaitReady();
        shared.other.instance().awaitReady();
        return shared;
    }

    /** The application that things are done to. */
    Node victim() {
        return victim;
    }

    /** The application that goes on. */
    Node other() {
        return other;
    }

    /** Puts a new application in the place of a victim that was killed; the other one is the next victim. */
    void replaceVictim() {
        victim = other;
        other = startNode();
    }

    /**
     * Kills the server and starts it again.
     *
     * @param meanwhile done while there is none
     * @param forgets whether it comes back empty
     */
    void killServer(boolean forgets, Runnable meanwhile) {
        server.process().kill();
        meanwhile.run();
        server.start(forgets ? FORGETFUL : DURABLE);
    }

    /** From now on the server does not write down what it acknowledges. */
    void stopPersistence() {
        try (RespClient client = server.connect()) {
            client.call("CONFIG", "SET", "appendonly", "no");
        }
    }

    Driver driver() {
        return driver;
    }

    RedisProcess server() {
        return server;
    }

    /** Starts another application and does not wait for it. */
    Node startNode(String... properties) {
        return startNode(Map.of(), List.of(), properties);
    }

    Node startNode(Map<String, String> environment, List<String> jvm, String... properties) {
        Link link = new Link(server.port());
        List<String> all = new ArrayList<>(List.of(
                "idempotency.store=redis",
                Instance.NO_DATABASE,
                "idempotency.defaults.timeout=" + Settings.LEASE.toMillis() + "ms",
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + link.port(),
                "spring.data.redis.connect-timeout=1s"));
        all.addAll(List.of(properties));
        Node node = new Node(Instance.start(driver, directory, environment, jvm, all), link);
        nodes.add(node);
        return node;
    }

    /** Writes every key of the server down, with its time to live. */
    void scan(History history) {
        server.scan(history);
    }

    @Override
    public void close() throws IOException {
        nodes.forEach(node -> {
            node.instance().close();
            node.link().close();
        });
        server.close();
        driver.close();
    }
}
