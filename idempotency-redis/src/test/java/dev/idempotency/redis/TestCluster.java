// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.embedded.RedisShardedCluster;

/** Three primaries with a third of the slots each, and a replica for each of them. */
final class TestCluster implements AutoCloseable {

    private static final String HOST = "127.0.0.1";

    private final RedisShardedCluster cluster;

    private TestCluster(RedisShardedCluster cluster) {
        this.cluster = cluster;
    }

    static TestCluster start() {
        try {
            RedisShardedCluster cluster = RedisShardedCluster.newRedisCluster()
                    .ephemeralServers()
                    .shard("one", 1)
                    .shard("two", 1)
                    .shard("three", 1)
                    .build();
            cluster.start();
            TestCluster started = new TestCluster(cluster);
            started.awaitReadiness();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each node has to hear from the others who serves which slots before it serves any itself. */
    private void awaitReadiness() {
        for (int port : cluster.ports()) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> command(port, "CLUSTER", "INFO").contains("cluster_state:ok"));
        }
        for (int port : cluster.ports()) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> nodes(port).stream().filter(Node::isReplica).count() == 3);
        }
    }

    /** A line of {@code CLUSTER NODES}. */
    record Node(String id, int port, List<String> flags, String slots) {

        boolean isReplica() {
            return flags.contains("slave");
        }

        boolean isAlive() {
            return flags.stream().noneMatch(flag -> flag.startsWith("fail"));
        }

        private boolean has(int slot) {
            return Stream.of(slots.split(" ", -1))
                    .filter(range -> !range.isEmpty() && !range.startsWith("["))
                    .map(range -> range.split("-", -1))
                    .anyMatch(range ->
                            Integer.parseInt(range[0]) <= slot && slot <= Integer.parseInt(range[range.length - 1]));
        }
    }

    String addresses() {
        return cluster.ports().stream().map(port -> HOST + ":" + port).collect(Collectors.joining(","));
    }

    List<Integer> ports() {
        return cluster.ports();
    }

    List<Node> nodes(int seenFromPort) {
        return command(seenFromPort, "CLUSTER", "NODES")
                .lines()
                .map(line -> line.split(" ", 9))
                .map(parts -> new Node(
                        parts[0],
                        Integer.parseInt(parts[1].substring(parts[1].indexOf(':') + 1, parts[1].indexOf('@'))),
                        List.of(parts[2].split(",", -1)),
                        parts.length > 8 ? parts[8] : ""))
                .toList();
    }

    Node primaryOf(int slot, int seenFromPort) {
        return nodes(seenFromPort).stream()
                .filter(node -> !node.isReplica() && node.isAlive() && node.has(slot))
                .findFirst()
                .orElseThrow();
    }

    static int slot(String key) {
        return SlotHash.getSlot(key);
    }

    /** Runs a command of words and gives its answer as text. */
    String command(int port, String name, String... arguments) {
        byte[][] bytes = new byte[arguments.length][];
        for (int i = 0; i < arguments.length; i++) {
            bytes[i] = arguments[i].getBytes(StandardCharsets.UTF_8);
        }
        Object reply = on(port, connection -> connection.execute(name, bytes));
        return reply instanceof byte[] text ? new String(text, StandardCharsets.UTF_8) : String.valueOf(reply);
    }

    <T> T on(int port, Function<RedisConnection, T> commands) {
        LettuceConnectionFactory factory = TestConnections.lettuce(HOST, port);
        try {
            return TestConnections.on(factory, commands);
        } finally {
            factory.destroy();
        }
    }

    void kill(int port) {
        LocalRedis.signal(
                "KILL",
                Long.parseLong(
                        on(port, connection -> connection.serverCommands().info("server"))
                                .getProperty("process_id")));
    }

    @Override
    public void close() {
        try {
            cluster.stop();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
