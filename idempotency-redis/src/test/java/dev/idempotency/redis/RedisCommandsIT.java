// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static dev.idempotency.redis.TestClaims.FAILURE;
import static dev.idempotency.redis.TestClaims.HOUR;
import static dev.idempotency.redis.TestClaims.RELEASE;
import static dev.idempotency.redis.TestClaims.SUCCESS;
import static dev.idempotency.redis.TestClaims.claim;
import static dev.idempotency.redis.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.encoding.EncodingStore;
import dev.idempotency.encoding.PayloadCompression;
import dev.idempotency.encryption.EncryptionKey;
import dev.idempotency.encryption.PayloadEncryption;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** What the server sees of the store. */
class RedisCommandsIT {

    private static TestRedis redis;

    private final OwnerToken owner = OwnerToken.random();
    private final RecordKey key = newKey();
    private LettuceConnectionFactory connections;
    private RedisIdempotencyStore store;

    @BeforeAll
    static void startServer() {
        redis = TestRedis.startPrivate();
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    @BeforeEach
    void open() {
        connections = TestConnections.lettuce(redis);
        store = new RedisIdempotencyStore(connections, "shop");
    }

    @AfterEach
    void close() {
        connections.destroy();
    }

    @Test
    void everyStepIsOneCommand() {
        mustBeOneCommandEach(store, connections);
    }

    @Test
    void everyStepIsOneCommandOnJedisToo() {
        JedisConnectionFactory jedis = TestConnections.jedis(redis);
        mustBeOneCommandEach(new RedisIdempotencyStore(jedis, "shop"), jedis);
        jedis.destroy();
    }

    @Test
    void scriptsThatTheServerForgotAreSentAgain() {
        mustSurviveAFlush(store);
    }

    @Test
    void scriptsThatTheServerForgotAreSentAgainOnJedisToo() {
        JedisConnectionFactory jedis = TestConnections.jedis(redis);
        mustSurviveAFlush(new RedisIdempotencyStore(jedis, "shop"));
        jedis.destroy();
    }

    @Test
    void everyKeyHasATimeToLiveThatCoversTheRecords() {
        store.claim(claim(key, owner));
        mustOutlive(HOUR.multipliedBy(2));
        store.claim(claim(key, OwnerToken.random()));
        mustOutlive(HOUR.multipliedBy(2));
        TestClaims.renewed(store, key, owner, HOUR, HOUR.multipliedBy(3));
        mustOutlive(HOUR.multipliedBy(3));
        store.complete(key, owner, FAILURE);
        mustOutlive(HOUR);
        store.claim(claim(key, owner));
        mustOutlive(HOUR.multipliedBy(2));
        Duration cooldown = HOUR.multipliedBy(9);
        store.complete(key, owner, new Completion.Failure(Payload.EMPTY, HOUR, new BreakerPolicy(1, HOUR, cooldown)));
        mustOutlive(cooldown);

        RecordKey other = newKey();
        store.claim(claim(other, owner));
        store.complete(other, owner, SUCCESS);
        long beforeReplay = timeToLive(other);
        store.claim(claim(other, owner));
        assertThat(timeToLive(other)).isPositive().isLessThanOrEqualTo(beforeReplay);

        mustAllExpire(TestConnections.on(connections, c -> c.serverCommands().info("keyspace")));
    }

    @Test
    void timesBeyondAllReasonAreCutNotOverflown() {
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
        store.claim(claim(key, owner));

        assertThat(TestClaims.renewed(store, key, owner, endless, endless)).isTrue();

        assertThat(timeToLive(key)).isGreaterThan(Duration.ofDays(36_524).toMillis());
        IdempotencyRecord found = ((Lookup.Found) store.find(key)).found();
        assertThat(found.leaseEnd()).isAfter(found.createdAt().plus(Duration.ofDays(36_524)));
        assertThat(store.complete(key, owner, new Completion.Success(Payload.EMPTY, endless)))
                .isInstanceOf(CompletionResult.Applied.class);
    }

    @Test
    void recordIsOneStringLittleLargerThanItsPayload() {
        store.claim(claim(key, owner));
        store.complete(key, owner, new Completion.Success(Payload.of(new byte[1_000]), HOUR));

        byte[] redisKey = TestConnections.bytes("idempotency:shop:create_order:" + key.hex());
        Long bytes = TestConnections.on(connections, c -> c.stringCommands().strLen(redisKey));
        assertThat(bytes).isEqualTo(1_000 + 94);
    }

    @Test
    void encryptedRecordsHaveAtMost150BytesBesideTheirPayload() {
        EncodingStore encrypted = new EncodingStore(
                store,
                new PayloadCompression(4_096, 1 << 20),
                new PayloadEncryption(List.of(new EncryptionKey("2026-11", new byte[EncryptionKey.SECRET_BYTES]))),
                false);
        encrypted.claim(claim(key, owner));
        encrypted.complete(key, owner, new Completion.Success(Payload.of(new byte[1_000]), HOUR));

        Long bytes = TestConnections.on(connections, c -> c.stringCommands().strLen(redisKey(key)));
        assertThat(bytes - 1_000).isEqualTo(94 + 42 + "2026-11".length()).isLessThanOrEqualTo(150);
    }

    @Test
    void releasedOperationLeavesNoKey() {
        store.claim(claim(key, owner));
        store.complete(key, owner, RELEASE);

        Boolean exists = TestConnections.on(connections, c -> c.keyCommands().exists(redisKey(key)));
        assertThat(exists).isFalse();
    }

    private static void mustBeOneCommandEach(RedisIdempotencyStore store, RedisConnectionFactory factory) {
        OwnerToken owner = OwnerToken.random();
        RecordKey warmUp = newKey();
        store.claim(claim(warmUp, owner));
        TestClaims.renewed(store, warmUp, owner, HOUR, HOUR);
        store.complete(warmUp, owner, SUCCESS);
        store.find(warmUp);

        RecordKey key = newKey();
        Map<String, Long> claiming = Map.of("evalsha", 1L, "time", 1L, "get", 1L, "set", 1L);
        Map<String, Long> looking = Map.of("evalsha", 1L, "time", 1L, "get", 1L);
        assertThat(commandsOf(factory, () -> store.claim(claim(key, owner)))).isEqualTo(claiming);
        assertThat(commandsOf(factory, () -> TestClaims.renewed(store, key, owner, HOUR, HOUR)))
                .isEqualTo(claiming);
        assertThat(commandsOf(factory, () -> store.complete(key, owner, SUCCESS)))
                .isEqualTo(claiming);
        assertThat(commandsOf(factory, () -> store.claim(claim(key, OwnerToken.random()))))
                .isEqualTo(looking);
        assertThat(commandsOf(factory, () -> store.find(key))).isEqualTo(looking);
    }

    private static void mustSurviveAFlush(RedisIdempotencyStore store) {
        LettuceConnectionFactory beside = TestConnections.lettuce(redis);
        OwnerToken owner = OwnerToken.random();
        RecordKey key = newKey();
        Runnable flush = () -> TestConnections.on(beside, c -> {
            c.scriptingCommands().scriptFlush();
            return true;
        });

        flush.run();
        assertThat(store.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
        flush.run();
        assertThat(TestClaims.renewed(store, key, owner, HOUR, HOUR)).isTrue();
        flush.run();
        assertThat(store.find(key)).isInstanceOf(Lookup.Found.class);
        flush.run();
        assertThat(store.complete(key, owner, SUCCESS)).isInstanceOf(CompletionResult.Applied.class);
        flush.run();
        assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.Completed.class);
        beside.destroy();
    }

    /** What the server has run for a step, commands inside scripts included, and nothing else. */
    private static Map<String, Long> commandsOf(RedisConnectionFactory factory, Runnable step) {
        Map<String, Long> before = commandCounts(factory);
        step.run();
        Map<String, Long> after = commandCounts(factory);
        Map<String, Long> difference = new TreeMap<>();
        after.forEach((command, count) -> {
            long calls = count - before.getOrDefault(command, 0L);
            if (calls > 0 && !command.equals("info")) {
                difference.put(command, calls);
            }
        });
        return difference;
    }

    private static Map<String, Long> commandCounts(RedisConnectionFactory factory) {
        Properties stats = TestConnections.on(factory, c -> c.serverCommands().info("commandstats"));
        Map<String, Long> counts = new TreeMap<>();
        for (String name : stats.stringPropertyNames()) {
            String calls = stats.getProperty(name);
            counts.put(
                    name.substring("cmdstat_".length()),
                    Long.parseLong(calls.substring("calls=".length(), calls.indexOf(','))));
        }
        return counts;
    }

    private void mustOutlive(Duration logical) {
        IdempotencyRecord found = ((Lookup.Found) store.find(key)).found();
        assertThat(Duration.between(found.updatedAt(), found.expiresAt())).isGreaterThanOrEqualTo(logical);
        assertThat(redisEndMillis()).isGreaterThan(found.expiresAt().toEpochMilli());
    }

    /** When Redis removes the key, never taken for too late; the best of a few looks, as pauses make it look early. */
    private long redisEndMillis() {
        long latest = 0;
        for (int i = 0; i < 5; i++) {
            long now = TestConnections.on(connections, c -> c.serverCommands().time());
            latest = Math.max(latest, now + timeToLive(key));
        }
        return latest;
    }

    private long timeToLive(RecordKey of) {
        return TestConnections.on(connections, c -> c.keyCommands().pTtl(redisKey(of)));
    }

    private static byte[] redisKey(RecordKey of) {
        return TestConnections.bytes("idempotency:shop:create_order:" + of.hex());
    }

    private static void mustAllExpire(Properties keyspace) {
        String counts = keyspace.getProperty("db0");
        String keys = counts.substring("keys=".length(), counts.indexOf(','));
        assertThat(counts).contains("expires=" + keys + ",");
    }
}
