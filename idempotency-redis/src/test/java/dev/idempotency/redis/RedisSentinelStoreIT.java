// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static dev.idempotency.redis.TestClaims.SUCCESS;
import static dev.idempotency.redis.TestClaims.claim;
import static dev.idempotency.redis.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import io.lettuce.core.ReadFrom;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A primary behind Sentinels, every claim and end waiting for both of its replicas. */
class RedisSentinelStoreIT extends TopologyTck {

    private static TestSentinels sentinels;
    private static BootRedis application;

    @BeforeAll
    static void start() {
        sentinels = TestSentinels.start();
        application = BootRedis.with(
                "spring.data.redis.sentinel.master=" + TestSentinels.MASTER,
                "spring.data.redis.sentinel.nodes=" + sentinels.addresses());
    }

    @AfterAll
    static void stop() {
        application.close();
        sentinels.close();
    }

    @Override
    BootRedis application() {
        return application;
    }

    @Override
    ReplicaWait replicaWait() {
        return new ReplicaWait(2, Duration.ofSeconds(20));
    }

    @Test
    void replicasAreNeverAskedEvenIfTheApplicationPrefersThem() {
        LettuceConnectionFactory preferring = new LettuceConnectionFactory(
                new RedisSentinelConfiguration(
                        TestSentinels.MASTER, Set.of(sentinels.addresses().split(",", -1))),
                LettuceClientConfiguration.builder()
                        .readFrom(ReadFrom.REPLICA_PREFERRED)
                        .shutdownTimeout(Duration.ZERO)
                        .build());
        preferring.afterPropertiesSet();
        preferring.start();
        List<Integer> replicas = sentinels.servers().stream()
                .filter(port -> port != sentinels.primary())
                .toList();
        replicas.forEach(port -> sentinels.command(port, "CONFIG", "RESETSTAT"));
        for (ReplicaWait wait : List.of(ReplicaWait.NONE, replicaWait())) {
            IdempotencyStore store =
                    new RedisIdempotencyStore(preferring, "idempotency", "shop", Duration.ofSeconds(20), wait);
            for (int i = 0; i < 30; i++) {
                RecordKey key = newKey();
                OwnerToken owner = OwnerToken.random();
                assertThat(store.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
                assertThat(store.find(key)).isInstanceOf(Lookup.Found.class);
                assertThat(store.complete(key, owner, SUCCESS)).isInstanceOf(CompletionResult.Applied.class);
            }
        }
        preferring.destroy();
        assertThat(replicas)
                .hasSize(2)
                .allSatisfy(port -> assertThat(sentinels.info(port, "commandstats"))
                        .doesNotContain("cmdstat_evalsha", "cmdstat_eval", "cmdstat_get"));
    }
}
