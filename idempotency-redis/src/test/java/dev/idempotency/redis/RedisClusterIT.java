// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static dev.idempotency.redis.TestClaims.FAILURE;
import static dev.idempotency.redis.TestClaims.HOUR;
import static dev.idempotency.redis.TestClaims.RELEASE;
import static dev.idempotency.redis.TestClaims.SUCCESS;
import static dev.idempotency.redis.TestClaims.claim;
import static dev.idempotency.redis.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.LetterChange;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.ReleaseResult;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.embedded.RedisShardedCluster;

/** Three nodes, each with a third of the slots; every step must find the one that owns its key. */
class RedisClusterIT {

    private static RedisShardedCluster cluster;
    private static RedisClusterConfiguration nodes;

    @BeforeAll
    static void startCluster() throws Exception {
        cluster = RedisShardedCluster.newRedisCluster()
                .ephemeralServers()
                .shard("one", 1)
                .shard("two", 1)
                .shard("three", 1)
                .build();
        cluster.start();
        List<String> addresses =
                cluster.ports().stream().map(port -> "127.0.0.1:" + port).toList();
        nodes = new RedisClusterConfiguration(addresses);
        cluster.ports().forEach(RedisClusterIT::awaitReadiness);
    }

    /** Each node has to hear from the others who serves which slots before it serves any itself. */
    private static void awaitReadiness(int port) {
        LettuceConnectionFactory node = TestConnections.lettuce("127.0.0.1", port);
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            Object info = TestConnections.on(node, c -> c.execute("CLUSTER", TestConnections.bytes("INFO")));
            return new String((byte[]) info, StandardCharsets.UTF_8).contains("cluster_state:ok");
        });
        node.destroy();
    }

    @AfterAll
    static void stopCluster() throws Exception {
        cluster.stop();
    }

    @Test
    void stepsFindTheNodeOfTheirKey() {
        LettuceConnectionFactory connections = new LettuceConnectionFactory(nodes);
        connections.afterPropertiesSet();
        connections.start();
        mustRunEverywhere(new RedisIdempotencyStore(connections, "shop"));
        mustRunEverywhere(new RedisIdempotencyStore(connections, "sh{op"));
        connections.destroy();
    }

    @Test
    void stepsFindTheNodeOfTheirKeyOnJedisToo() {
        JedisConnectionFactory connections = new JedisConnectionFactory(nodes);
        connections.afterPropertiesSet();
        connections.start();
        mustRunEverywhere(new RedisIdempotencyStore(connections, "shop"));
        connections.destroy();
    }

    @Test
    void aSilentNodeLeavesTheOthersTheirRenewals() {
        LettuceConnectionFactory connections = new LettuceConnectionFactory(nodes);
        connections.afterPropertiesSet();
        connections.start();
        RedisIdempotencyStore store = new RedisIdempotencyStore(connections, "shop");
        OwnerToken owner = OwnerToken.random();
        List<Renewal> renewals = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            RecordKey key = newKey();
            store.claim(claim(key, owner));
            renewals.add(new Renewal(key, owner, HOUR, HOUR));
        }
        byte[] first = TestConnections.bytes(
                "idempotency:shop:create_order:" + renewals.get(0).key().hex());
        RedisClusterNode silent =
                TestConnections.on(connections, c -> ((RedisClusterConnection) c).clusterGetNodeForKey(first));
        LettuceConnectionFactory node = TestConnections.lettuce(silent.getHost(), silent.getPort());
        TestConnections.on(
                node,
                c -> c.execute(
                        "CLIENT",
                        TestConnections.bytes("PAUSE"),
                        TestConnections.bytes("3000"),
                        TestConnections.bytes("ALL")));
        node.destroy();

        List<RenewalResult> results = store.renew(renewals);

        assertThat(results.get(0)).isEqualTo(RenewalResult.UNANSWERED);
        assertThat(results).contains(RenewalResult.RENEWED).doesNotContain(RenewalResult.LOST);
        await().ignoreExceptions().until(() -> store.renew(renewals).stream().allMatch(RenewalResult.RENEWED::equals));
        connections.destroy();
    }

    @Test
    void lettersOfANamespaceAreInOneSlot() {
        LettuceConnectionFactory lettuce = new LettuceConnectionFactory(nodes);
        lettuce.afterPropertiesSet();
        lettuce.start();
        JedisConnectionFactory jedis = new JedisConnectionFactory(nodes);
        jedis.afterPropertiesSet();
        jedis.start();
        for (String namespace : List.of("shop", "sh{op", "sh}op", "{shop}")) {
            mustKeepLetters(lettuce, namespace);
            mustKeepLetters(jedis, namespace + "-jedis");
        }
        jedis.destroy();
        lettuce.destroy();
    }

    private static void mustKeepLetters(RedisConnectionFactory connections, String namespace) {
        DeadLetterQueue queue = new RedisDeadLetterQueue(
                connections,
                "idempotency",
                namespace,
                Duration.ofSeconds(10),
                new DeadLetterLimits(2, 1_000, Duration.ofHours(1)));
        for (int version = 1; version <= 3; version++) {
            queue.park(
                    new ParkedRequest(DeadLetterReason.BREAKER_OPENED, newKey(), version, Payload.of(new byte[100])));
        }
        List<DeadLetterSummary> letters = queue.list(LetterFilter.ALL, null, 10).letters();
        assertThat(letters).hasSize(2);
        String id = letters.get(0).id();
        assertThat(queue.seenAgain(id)).isTrue();
        OwnerToken owner = OwnerToken.random();
        assertThat(queue.startRedrive(id, owner, HOUR, "ann")).isInstanceOf(LetterChange.Changed.class);
        assertThat(queue.endRedrive(id, owner, new RedriveOutcome(RedriveOutcome.Result.RAN, 200)))
                .isInstanceOf(LetterChange.Changed.class);
        assertThat(queue.find(id).summary().state()).isEqualTo(DeadLetterState.REDRIVEN);
        assertThat(queue.discard(letters.get(1).id(), "ann", "")).isInstanceOf(LetterChange.Changed.class);
        assertThat(queue.counts().get(DeadLetterState.OPEN)).isZero();
    }

    private static void mustRunEverywhere(IdempotencyStore store) {
        for (int i = 0; i < 100; i++) {
            OwnerToken owner = OwnerToken.random();
            RecordKey key = newKey();
            assertThat(store.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(store.complete(key, owner, RELEASE)).isInstanceOf(CompletionResult.Applied.class);
            assertThat(store.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(store.complete(key, owner, FAILURE)).isInstanceOf(CompletionResult.Applied.class);
            assertThat(store.release(key, 1)).isEqualTo(ReleaseResult.REFUSED);
            assertThat(store.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(TestClaims.renewed(store, key, owner, HOUR, HOUR)).isTrue();
            assertThat(store.complete(key, owner, SUCCESS)).isInstanceOf(CompletionResult.Applied.class);
            assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.Completed.class);
            assertThat(store.find(key)).isInstanceOf(Lookup.Found.class);
        }
    }
}
