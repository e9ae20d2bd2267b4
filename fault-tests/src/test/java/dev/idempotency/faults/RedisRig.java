// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.history.Event.KeyFound;
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

    private final Path directory;
    private final Driver driver = new Driver();
    private final RedisProcess server;
    private final List<Node> nodes = new ArrayList<>();

    /** An application and its link to the server. */
    record Node(Instance instance, Link link) {}

    private RedisRig(Path directory, boolean durable) {
        this.directory = directory;
        this.server = RedisProcess.start(directory, Ports.free(), durable ? DURABLE : FORGETFUL);
    }

    /** One whose server keeps what it has acknowledged, whatever happens to it. */
    static RedisRig durable(Path directory) {
        return new RedisRig(directory, true);
    }

    /** One whose server knows nothing after it was killed. */
    static RedisRig forgetful(Path directory) {
        return new RedisRig(directory, false);
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
        try (RespClient client = server.connect()) {
            for (Object key : (List<?>) client.call("KEYS", "*")) {
                history.add(new KeyFound(key.toString(), (Long) client.call("PTTL", key.toString())));
            }
        }
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
