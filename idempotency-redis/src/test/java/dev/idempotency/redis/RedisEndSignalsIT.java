// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static dev.idempotency.redis.TestClaims.FAILURE;
import static dev.idempotency.redis.TestClaims.RELEASE;
import static dev.idempotency.redis.TestClaims.SUCCESS;
import static dev.idempotency.redis.TestClaims.claim;
import static dev.idempotency.redis.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.EndSignals.Subscription;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Waiters on one instance hear of the end of a claim on another. */
class RedisEndSignalsIT {

    private final AtomicInteger told = new AtomicInteger();
    private final RecordKey key = newKey();
    private final OwnerToken owner = OwnerToken.random();
    private TestRedis redis;
    private LettuceConnectionFactory connections;
    private LettuceConnectionFactory otherConnections;
    private RedisIdempotencyStore store;
    private RedisIdempotencyStore elsewhere;

    @BeforeEach
    void open() {
        redis = TestRedis.startPrivate();
        connections = TestConnections.lettuce(redis);
        otherConnections = TestConnections.lettuce(redis);
        store = new RedisIdempotencyStore(connections, "shop");
        elsewhere = new RedisIdempotencyStore(otherConnections, "shop");
    }

    @AfterEach
    void close() {
        store.close();
        elsewhere.close();
        connections.destroy();
        otherConnections.destroy();
        redis.close();
    }

    static Stream<Completion> ends() {
        return Stream.of(SUCCESS, FAILURE, RELEASE);
    }

    @ParameterizedTest
    @MethodSource("ends")
    void aWaiterIsToldOfEveryEnd(Completion end) {
        store.claim(claim(key, owner));
        assertThat(elsewhere.claim(waiting(key))).isInstanceOf(ClaimResult.InProgress.class);
        Subscription subscription = elsewhere.endSignals().subscribe(key, told::incrementAndGet);
        awaitSubscribers(1);
        store.complete(key, owner, end);
        await().untilAsserted(() -> assertThat(told).hasValue(1));
        subscription.close();
        awaitSubscribers(0);
    }

    @Test
    void nothingIsPublishedUnlessSomebodyWaits() {
        store.claim(claim(key, owner));
        assertThat(elsewhere.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.InProgress.class);
        store.complete(key, owner, SUCCESS);
        assertThat(info("commandstats", "cmdstat_publish")).isEqualTo("none");
    }

    @Test
    void aClaimThatIsAwaitedIsOtherwiseAsBefore() {
        store.claim(claim(key, owner));
        Lookup before = store.find(key);
        elsewhere.claim(waiting(key));
        assertThat(store.find(key)).isEqualTo(before);
        long timeToLive = TestConnections.on(
                connections,
                connection -> connection
                        .keyCommands()
                        .pTtl(TestConnections.bytes("idempotency:shop:create_order:" + key.hex())));
        assertThat(timeToLive).isPositive();
        assertThat(store.complete(key, owner, SUCCESS)).isNotNull();
        assertThat(elsewhere.claim(waiting(key))).isInstanceOf(ClaimResult.Completed.class);
    }

    @Test
    void aServerThatIsAwayIsNoTroubleToAWaiter() {
        redis.stop();
        elsewhere.endSignals().subscribe(key, told::incrementAndGet).close();
        assertThat(told).hasValue(0);
    }

    private static Claim waiting(RecordKey key) {
        Claim plain = claim(key, OwnerToken.random());
        return new Claim(
                plain.key(),
                plain.owner(),
                plain.fingerprint(),
                plain.lease(),
                plain.ttl(),
                plain.onOrphan(),
                plain.payload(),
                true);
    }

    private void awaitSubscribers(int count) {
        await().until(() -> info("stats", "pubsub_channels").equals(Integer.toString(count)));
    }

    private String info(String section, String property) {
        Properties info = TestConnections.on(
                connections, connection -> connection.serverCommands().info(section));
        return info.getProperty(property, "none");
    }
}
