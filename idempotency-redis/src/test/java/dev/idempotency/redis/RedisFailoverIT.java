// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static dev.idempotency.redis.TestClaims.SUCCESS;
import static dev.idempotency.redis.TestClaims.claim;
import static dev.idempotency.redis.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.key.RecordKey;
import dev.idempotency.redis.TestCluster.Node;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The primary is lost, or gives its place away, while the store runs; nobody starts the application again. */
@Timeout(180)
class RedisFailoverIT {

    private final OwnerToken owner = OwnerToken.random();

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void behindSentinelsTheStoreFollowsToTheNewPrimary(int replicas) {
        try (TestSentinels sentinels = TestSentinels.start();
                BootRedis application = BootRedis.with(
                        "spring.data.redis.sentinel.master=" + TestSentinels.MASTER,
                        "spring.data.redis.sentinel.nodes=" + sentinels.addresses())) {
            RedisIdempotencyStore store = store(application, replicas);
            RecordKey done = newKey();
            RecordKey running = newKey();
            succeed(store, done);
            claimUntilClaimed(store, running, owner);
            int before = sentinels.primary();
            awaitCopies(sentinels, before);

            LocalRedis.signal("KILL", sentinels.processId(before));

            mustGoOn(store, done, running);
            store.close();
        }
    }

    /** As behind a load balancer, or a name in DNS: the old primary is alive and keeps its connections. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void behindOneNameTheStoreFollowsToTheNewPrimary(int replicas) {
        try (LocalRedis first = LocalRedis.start();
                LocalRedis second = LocalRedis.replicaOf(first);
                TcpProxy name = new TcpProxy(LocalRedis.HOST, first.port());
                BootRedis application = BootRedis.with(
                        "spring.data.redis.host=" + name.host(), "spring.data.redis.port=" + name.port())) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> first.info("replication").toString().contains("state=online"));
            RedisIdempotencyStore store = store(application, replicas);
            RecordKey done = newKey();
            RecordKey running = newKey();
            succeed(store, done);
            claimUntilClaimed(store, running, owner);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> second.info("keyspace").toString().contains("keys=2"));

            second.command("REPLICAOF", "NO", "ONE");
            first.command("REPLICAOF", LocalRedis.HOST, "" + second.port());
            name.leadTo(second.port());

            mustGoOn(store, done, running);
            store.close();
        }
    }

    /** With and without Lettuce's own search for the new primary, which is off unless an application asks for it. */
    @ParameterizedTest
    @ValueSource(strings = {"spring.data.redis.lettuce.cluster.refresh.adaptive=true", "spring.data.redis.timeout=1s"})
    void inAClusterTheStoreFollowsToTheNewPrimary(String property) {
        try (TestCluster cluster = TestCluster.start();
                BootRedis application =
                        BootRedis.with("spring.data.redis.cluster.nodes=" + cluster.addresses(), property)) {
            RedisIdempotencyStore store = store(application, 0);
            RedisIdempotencyStore waiting = store(application, 1);
            RecordKey done = newKey();
            RecordKey running = newKey();
            succeed(waiting, done);
            claimUntilClaimed(waiting, running, owner);
            cluster.ports().forEach(port -> cluster.command(port, "CONFIG", "SET", "cluster-node-timeout", "1000"));
            int any = cluster.ports().get(0);
            Node lost = cluster.primaryOf(TestCluster.slot("idempotency:shop:create_order:" + running.hex()), any);

            cluster.kill(lost.port());

            mustGoOn(store, done, running);
            RecordKey other = newKey();
            claimUntilClaimed(store, other, owner);
            store.close();
            waiting.close();
        }
    }

    @Test
    void aPrimaryOfAClusterThatGivesItsPlaceAwayIsLeft() {
        try (TestCluster cluster = TestCluster.start();
                BootRedis application = BootRedis.with("spring.data.redis.cluster.nodes=" + cluster.addresses())) {
            int any = cluster.ports().get(0);
            List<Node> replicas =
                    cluster.nodes(any).stream().filter(Node::isReplica).toList();
            RedisIdempotencyStore store = store(application, 1);
            RecordKey done = newKey();
            RecordKey running = newKey();
            succeed(store, done);
            claimUntilClaimed(store, running, owner);

            for (Node replica : replicas) {
                cluster.command(replica.port(), "CLUSTER", "FAILOVER");
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> cluster.nodes(replica.port()).stream()
                                .anyMatch(node -> node.port() == replica.port() && !node.isReplica()));
            }

            mustGoOn(store, done, running);
            store.close();
        }
    }

    private void mustGoOn(IdempotencyStore store, RecordKey done, RecordKey running) {
        ClaimResult repeat = claimed(store, done, OwnerToken.random());
        assertThat(repeat).isInstanceOf(ClaimResult.Completed.class);
        assertThat(claimed(store, running, OwnerToken.random())).isInstanceOf(ClaimResult.InProgress.class);
        awaitApplied(store, running);
        assertThat(claimed(store, running, OwnerToken.random())).isInstanceOf(ClaimResult.Completed.class);
        succeed(store, newKey());
    }

    private void succeed(IdempotencyStore store, RecordKey key) {
        claimUntilClaimed(store, key, owner);
        awaitApplied(store, key);
    }

    private void awaitApplied(IdempotencyStore store, RecordKey key) {
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            try {
                return store.complete(key, owner, SUCCESS) instanceof CompletionResult.Applied;
            } catch (StoreUnavailableException e) {
                return false;
            }
        });
    }

    private static void claimUntilClaimed(IdempotencyStore store, RecordKey key, OwnerToken owner) {
        assertThat(claimed(store, key, owner)).isInstanceOf(ClaimResult.Claimed.class);
    }

    /** The first answer. */
    private static ClaimResult claimed(IdempotencyStore store, RecordKey key, OwnerToken owner) {
        ClaimResult[] result = new ClaimResult[1];
        await().atMost(Duration.ofSeconds(90)).until(() -> {
            try {
                result[0] = store.claim(claim(key, owner));
                return true;
            } catch (StoreUnavailableException e) {
                return false;
            }
        });
        return result[0];
    }

    private static void awaitCopies(TestSentinels sentinels, int primary) {
        IntSupplier behind = () -> (int) sentinels.servers().stream()
                .filter(port -> port != primary)
                .filter(port -> !sentinels.info(port, "keyspace").contains("keys=2"))
                .count();
        await().atMost(Duration.ofSeconds(30)).until(() -> behind.getAsInt() == 0);
    }

    private static RedisIdempotencyStore store(BootRedis application, int replicas) {
        return new RedisIdempotencyStore(
                application.connections(),
                "idempotency",
                "shop",
                Duration.ofMillis(500),
                new ReplicaWait(replicas, Duration.ofSeconds(2)));
    }
}
