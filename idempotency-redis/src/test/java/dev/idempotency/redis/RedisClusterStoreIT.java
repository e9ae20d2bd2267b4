// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static dev.idempotency.redis.TestClaims.SUCCESS;
import static dev.idempotency.redis.TestClaims.claim;
import static dev.idempotency.redis.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.key.RecordKey;
import dev.idempotency.redis.TestCluster.Node;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import io.lettuce.core.ReadFrom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A Cluster of three primaries and three replicas, with the store's kit, and slots that move meanwhile. */
class RedisClusterStoreIT extends TopologyTck {

    private static TestCluster cluster;
    private static BootRedis application;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start();
        application = BootRedis.with("spring.data.redis.cluster.nodes=" + cluster.addresses());
    }

    @AfterAll
    static void stop() {
        application.close();
        cluster.close();
    }

    @Override
    BootRedis application() {
        return application;
    }

    @Test
    void slotsMayMoveAtAnyMoment() {
        slotMustBeAbleToMove(store(ReplicaWait.NONE));
    }

    @Test
    void slotsMayMoveWhileReplicasAreWaitedFor() {
        slotMustBeAbleToMove(store(new ReplicaWait(1, Duration.ofSeconds(20))));
    }

    private static void slotMustBeAbleToMove(IdempotencyStore store) {
        int any = cluster.ports().get(0);
        List<RecordKey> keys = keysOfOneSlot();
        int slot = slotOf(keys.get(0));
        Node from = cluster.primaryOf(slot, any);
        Node to = cluster.nodes(any).stream()
                .filter(node -> !node.isReplica() && node.port() != from.port())
                .findFirst()
                .orElseThrow();
        OwnerToken owner = OwnerToken.random();
        RecordKey before = keys.get(0);
        RecordKey meanwhile = keys.get(1);
        RecordKey after = keys.get(2);
        assertThat(store.claim(claim(before, owner))).isInstanceOf(ClaimResult.Claimed.class);

        String number = Integer.toString(slot);
        cluster.command(to.port(), "CLUSTER", "SETSLOT", number, "IMPORTING", from.id());
        cluster.command(from.port(), "CLUSTER", "SETSLOT", number, "MIGRATING", to.id());
        assertThat(store.claim(claim(before, OwnerToken.random()))).isInstanceOf(ClaimResult.InProgress.class);
        assertThat(store.claim(claim(meanwhile, owner))).isInstanceOf(ClaimResult.Claimed.class);
        assertThat(store.claim(claim(meanwhile, OwnerToken.random()))).isInstanceOf(ClaimResult.InProgress.class);
        cluster.command(from.port(), "MIGRATE", "127.0.0.1", "" + to.port(), redisName(before), "0", "5000");
        assertThat(store.claim(claim(before, OwnerToken.random()))).isInstanceOf(ClaimResult.InProgress.class);
        assertThat(store.complete(before, owner, SUCCESS)).isInstanceOf(CompletionResult.Applied.class);
        for (Node node : List.of(to, from)) {
            cluster.command(node.port(), "CLUSTER", "SETSLOT", number, "NODE", to.id());
        }

        assertThat(store.claim(claim(before, OwnerToken.random()))).isInstanceOf(ClaimResult.Completed.class);
        assertThat(store.complete(meanwhile, owner, SUCCESS)).isInstanceOf(CompletionResult.Applied.class);
        assertThat(store.claim(claim(after, owner))).isInstanceOf(ClaimResult.Claimed.class);
        assertThat(store.find(after)).isInstanceOf(Lookup.Found.class);
    }

    @Test
    void scriptsThatNodesForgotAreSentAgain() {
        for (IdempotencyStore store :
                List.of(store(ReplicaWait.NONE), store(new ReplicaWait(1, Duration.ofSeconds(20))))) {
            for (int i = 0; i < 20; i++) {
                cluster.ports().forEach(port -> cluster.command(port, "SCRIPT", "FLUSH"));
                RecordKey key = newKey();
                OwnerToken owner = OwnerToken.random();
                assertThat(store.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
                assertThat(store.complete(key, owner, SUCCESS)).isInstanceOf(CompletionResult.Applied.class);
            }
        }
    }

    @Test
    void replicasAreNeverAskedEvenIfTheApplicationPrefersThem() {
        LettuceConnectionFactory preferring = new LettuceConnectionFactory(
                new RedisClusterConfiguration(List.of(cluster.addresses().split(",", -1))),
                LettuceClientConfiguration.builder()
                        .readFrom(ReadFrom.REPLICA_PREFERRED)
                        .shutdownTimeout(Duration.ZERO)
                        .build());
        preferring.afterPropertiesSet();
        preferring.start();
        List<Integer> replicas = cluster.nodes(cluster.ports().get(0)).stream()
                .filter(Node::isReplica)
                .map(Node::port)
                .toList();
        replicas.forEach(port -> cluster.command(port, "CONFIG", "RESETSTAT"));
        for (ReplicaWait wait : List.of(ReplicaWait.NONE, new ReplicaWait(1, Duration.ofSeconds(20)))) {
            IdempotencyStore store =
                    new RedisIdempotencyStore(preferring, "idempotency", "shop", Duration.ofSeconds(20), wait);
            for (int i = 0; i < 60; i++) {
                RecordKey key = newKey();
                OwnerToken owner = OwnerToken.random();
                assertThat(store.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
                assertThat(store.find(key)).isInstanceOf(Lookup.Found.class);
                assertThat(store.complete(key, owner, SUCCESS)).isInstanceOf(CompletionResult.Applied.class);
                assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.Completed.class);
            }
        }
        preferring.destroy();
        assertThat(replicas).hasSize(3).allSatisfy(port -> {
            Properties stats = cluster.on(port, c -> c.serverCommands().info("commandstats"));
            assertThat(stats.stringPropertyNames()).doesNotContain("cmdstat_evalsha", "cmdstat_eval", "cmdstat_get");
        });
    }

    private static IdempotencyStore store(ReplicaWait wait) {
        return new RedisIdempotencyStore(
                application.connections(), "idempotency", "shop", Duration.ofSeconds(20), wait);
    }

    /** Three keys that no test has had before, in one slot. */
    private static List<RecordKey> keysOfOneSlot() {
        RecordKey first = newKey();
        List<RecordKey> keys = new ArrayList<>(List.of(first));
        while (keys.size() < 3) {
            RecordKey next = newKey();
            if (slotOf(next) == slotOf(first)) {
                keys.add(next);
            }
        }
        return keys;
    }

    private static int slotOf(RecordKey key) {
        return TestCluster.slot(redisName(key));
    }

    private static String redisName(RecordKey key) {
        return "idempotency:shop:create_order:" + key.hex();
    }
}
