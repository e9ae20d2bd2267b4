// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.embedded.RedisCluster;
import redis.embedded.core.RedisSentinelBuilder;

/** A primary, two replicas, and three Sentinels that replace a silent primary after half a second. */
final class TestSentinels implements AutoCloseable {

    static final String MASTER = "mymaster";

    private static final String HOST = "127.0.0.1";

    private final RedisCluster group;

    private TestSentinels(RedisCluster group) {
        this.group = group;
    }

    static TestSentinels start() {
        try {
            RedisCluster group = RedisCluster.newRedisCluster()
                    .withSentinelBuilder(new RedisSentinelBuilder()
                            .downAfterMilliseconds(500)
                            .failOverTimeout(2_000))
                    .ephemeral()
                    .sentinelCount(3)
                    .quorumSize(2)
                    .replicationGroup(MASTER, 2)
                    .build();
            group.start();
            TestSentinels started = new TestSentinels(group);
            started.awaitReadiness();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReadiness() {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            String masters = info(group.sentinelPorts().get(0), "sentinel");
            return masters.contains("status=ok") && masters.contains("slaves=2") && masters.contains("sentinels=3");
        });
        await().atMost(Duration.ofSeconds(30))
                .until(() -> info(primary(), "replication").split("state=online", -1).length == 3);
    }

    String addresses() {
        return group.sentinelPorts().stream().map(port -> HOST + ":" + port).collect(Collectors.joining(","));
    }

    List<Integer> servers() {
        return group.serverPorts();
    }

    /** The port of the server that is the primary. */
    int primary() {
        return group.serverPorts().stream()
                .filter(port -> info(port, "replication").contains("role=master"))
                .findFirst()
                .orElseThrow();
    }

    String info(int port, String section) {
        LettuceConnectionFactory factory = TestConnections.lettuce(HOST, port);
        try {
            return TestConnections.on(factory, c -> c.serverCommands().info(section))
                    .toString();
        } finally {
            factory.destroy();
        }
    }

    void command(int port, String name, String... arguments) {
        byte[][] bytes = new byte[arguments.length][];
        for (int i = 0; i < arguments.length; i++) {
            bytes[i] = arguments[i].getBytes(StandardCharsets.UTF_8);
        }
        LettuceConnectionFactory factory = TestConnections.lettuce(HOST, port);
        TestConnections.on(factory, connection -> connection.execute(name, bytes));
        factory.destroy();
    }

    long processId(int port) {
        String info = info(port, "server");
        String behind = info.substring(info.indexOf("process_id=") + "process_id=".length());
        return Long.parseLong(behind.split("[^0-9]", 2)[0]);
    }

    @Override
    public void close() {
        try {
            group.stop();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
