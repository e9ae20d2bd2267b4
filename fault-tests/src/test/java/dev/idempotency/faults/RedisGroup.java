// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.awaitility.Awaitility.await;

import dev.idempotency.faults.history.History;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Several Redis servers of which one takes another's place when that is gone. */
final class RedisGroup implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String GROUP = "primary";
    private static final int SLOTS = 16_384;
    private static final int SHARDS = 3;

    private final List<RedisProcess> primaries = new ArrayList<>();
    private final List<RedisProcess> replicas = new ArrayList<>();
    private final List<RedisProcess> sentinels = new ArrayList<>();
    private final List<String> properties = new ArrayList<>();

    private RedisGroup() {}

    /** A primary, a replica and three sentinels. */
    static RedisGroup sentinel(Path directory) {
        RedisGroup group = new RedisGroup();
        RedisProcess primary = RedisProcess.start(directory, Ports.free(), List.of());
        group.primaries.add(primary);
        group.replicas.add(RedisProcess.start(
                directory, Ports.free(), List.of("--replicaof", "127.0.0.1", Integer.toString(primary.port()))));
        for (int i = 0; i < 3; i++) {
            group.sentinels.add(RedisProcess.startSentinel(directory, Ports.free(), GROUP, primary.port(), 2));
        }
        group.awaitReplicas();
        await().atMost(LIMIT).until(() -> group.sentinels.stream().allMatch(RedisGroup::seesAll));
        group.properties.add("spring.data.redis.sentinel.master=" + GROUP);
        group.properties.add("spring.data.redis.sentinel.nodes=" + addresses(group.sentinels));
        return group;
    }

    private static boolean seesAll(RedisProcess sentinel) {
        try (RespClient client = sentinel.connect()) {
            return ((List<?>) client.call("SENTINEL", "REPLICAS", GROUP)).size() == 1
                    && ((List<?>) client.call("SENTINEL", "SENTINELS", GROUP)).size() == 2;
        }
    }

    /** Three primaries, each with a third of the slots and a replica. */
    static RedisGroup cluster(Path directory) {
        RedisGroup group = new RedisGroup();
        for (int i = 0; i < SHARDS; i++) {
            group.primaries.add(startNode(directory));
            group.replicas.add(startNode(directory));
        }
        List<RedisProcess> all = group.servers();
        for (RedisProcess server : all) {
            call(all.get(0), "CLUSTER", "MEET", "127.0.0.1", Integer.toString(server.port()));
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            List<String> command = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            IntStream.range(shard * SLOTS / SHARDS, (shard + 1) * SLOTS / SHARDS)
                    .mapToObj(Integer::toString)
                    .forEach(command::add);
            call(group.primaries.get(shard), command.toArray(String[]::new));
            RedisProcess replica = group.replicas.get(shard);
            String primary = call(group.primaries.get(shard), "CLUSTER", "MYID").toString();
            await().atMost(LIMIT)
                    .until(() -> call(replica, "CLUSTER", "NODES").toString().contains(primary));
            call(replica, "CLUSTER", "REPLICATE", primary);
        }
        await().atMost(LIMIT).until(() -> all.stream().allMatch(RedisGroup::isClusterComplete));
        group.awaitReplicas();
        group.properties.add("spring.data.redis.cluster.nodes=" + addresses(all));
        group.properties.add("spring.data.redis.lettuce.cluster.refresh.adaptive=true");
        group.properties.add("spring.data.redis.lettuce.cluster.refresh.period=1s");
        return group;
    }

    private static RedisProcess startNode(Path directory) {
        int port = Ports.freeWithBus();
        return RedisProcess.start(
                directory,
                port,
                List.of(
                        "--cluster-enabled",
                        "yes",
                        "--cluster-config-file",
                        "nodes" + port + ".conf",
                        "--cluster-node-timeout",
                        "1000"));
    }

    private static boolean isClusterComplete(RedisProcess server) {
        String nodes = call(server, "CLUSTER", "NODES").toString();
        return call(server, "CLUSTER", "INFO").toString().contains("cluster_state:ok")
                && nodes.lines().filter(line -> line.contains("slave")).count() == SHARDS;
    }

    private void awaitReplicas() {
        await().atMost(LIMIT)
                .until(() -> replicas.stream()
                        .allMatch(replica ->
                                call(replica, "INFO", "replication").toString().contains("master_link_status:up")));
    }

    private static Object call(RedisProcess server, String... words) {
        try (RespClient client = server.connect()) {
            return client.call(words);
        }
    }

    private static String addresses(List<RedisProcess> servers) {
        return String.join(
                ",",
                servers.stream().map(server -> "127.0.0.1:" + server.port()).toList());
    }

    /** How an application finds it. */
    List<String> properties() {
        return properties;
    }

    /** Writes every key down that any of the present primaries has. */
    void scan(History history) {
        servers().stream()
                .filter(server -> server.process().isAlive())
                .filter(RedisGroup::isPrimary)
                .forEach(server -> server.scan(history));
    }

    private static boolean isPrimary(RedisProcess server) {
        return ((List<?>) call(server, "ROLE")).get(0).equals("master");
    }

    /** All but sentinels. */
    private List<RedisProcess> servers() {
        List<RedisProcess> all = new ArrayList<>(primaries);
        all.addAll(replicas);
        return all;
    }

    /** Kills the first primary. */
    void killPrimary() {
        primaries.get(0).process().kill();
    }

    /** Waits until the first primary's replica has taken its place. */
    void awaitFailover() {
        RedisProcess successor = replicas.get(0);
        await().atMost(LIMIT).until(() -> isPrimary(successor));
        if (sentinels.isEmpty()) {
            await().atMost(LIMIT)
                    .until(() -> call(successor, "CLUSTER", "INFO").toString().contains("cluster_state:ok"));
        }
    }

    @Override
    public void close() {
        sentinels.forEach(RedisProcess::close);
        servers().forEach(RedisProcess::close);
    }
}
