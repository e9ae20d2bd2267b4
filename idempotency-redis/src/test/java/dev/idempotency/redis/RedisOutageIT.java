// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static dev.idempotency.redis.TestClaims.FAILURE;
import static dev.idempotency.redis.TestClaims.HOUR;
import static dev.idempotency.redis.TestClaims.SUCCESS;
import static dev.idempotency.redis.TestClaims.claim;
import static dev.idempotency.redis.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.StoreUnavailableException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The server, or the way to it, fails. Lettuce alone would wait a minute for a reply; no test here may take that long. */
@Timeout(55)
class RedisOutageIT {

    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(300);

    private final OwnerToken owner = OwnerToken.random();
    private final RecordKey key = newKey();
    private final TestRedis redis = TestRedis.startPrivate();
    private final TcpProxy proxy = new TcpProxy(redis);
    private final LettuceConnectionFactory lettuce = TestConnections.lettuce(proxy.host(), proxy.port());
    private final JedisConnectionFactory jedis = TestConnections.jedis(proxy.host(), proxy.port());

    @AfterEach
    void close() {
        lettuce.destroy();
        jedis.destroy();
        proxy.close();
        redis.close();
    }

    @Test
    void storeWorksAgainOnceTheServerIsBack() {
        LettuceConnectionFactory direct = TestConnections.lettuce(redis);
        mustOutliveARestart(storeOn(direct));
        direct.destroy();
    }

    @Test
    void storeOnJedisWorksAgainOnceTheServerIsBack() {
        JedisConnectionFactory direct = TestConnections.jedis(redis);
        mustOutliveARestart(storeOn(direct));
        direct.destroy();
    }

    @Test
    void serverThatWasNeverThereIsUnavailable() {
        redis.stop();
        LettuceConnectionFactory direct = TestConnections.lettuce(redis);
        IdempotencyStore store = storeOn(direct);

        mustBeUnavailable(store);

        redis.start();
        await().atMost(Duration.ofSeconds(30)).until(answers(() -> store.find(key)));
        direct.destroy();
    }

    @Test
    void silentServerIsWaitedForNoLongerThanTheCommandTimeout() {
        IdempotencyStore store = storeOn(lettuce);
        store.claim(claim(key, owner));
        proxy.swallow(true);

        assertThatThrownBy(() -> store.find(key))
                .isInstanceOf(StoreUnavailableException.class)
                .hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void replyThatComesTooLateIsNotTakenForTheNextOne() {
        IdempotencyStore store = storeOn(lettuce);
        RecordKey other = newKey();
        store.claim(claim(other, owner));
        LettuceConnectionFactory beside = TestConnections.lettuce(redis);
        TestConnections.on(
                beside, c -> c.execute("CLIENT", TestConnections.bytes("PAUSE"), TestConnections.bytes("1000")));

        assertThatThrownBy(() -> store.claim(claim(key, owner))).isInstanceOf(StoreUnavailableException.class);
        await().atMost(Duration.ofSeconds(30)).until(answers(() -> store.find(other)));

        assertThat(((Lookup.Found) store.find(other)).found().key()).isEqualTo(other);
        assertThat(store.claim(claim(key, owner)))
                .isInstanceOfSatisfying(
                        ClaimResult.Claimed.class,
                        claimed -> assertThat(claimed.attempts()).isEqualTo(1));
        beside.destroy();
    }

    @Test
    void claimWhoseReplyWasLostIsStillTheCallers() {
        IdempotencyStore store = storeOn(lettuce);
        store.claim(claim(newKey(), owner));
        proxy.refuse(true);
        proxy.loseNextReply();

        assertThatThrownBy(() -> store.claim(claim(key, owner))).isInstanceOf(StoreUnavailableException.class);
        IdempotencyRecord made = foundDirectly();
        proxy.refuse(false);
        await().atMost(Duration.ofSeconds(30)).until(answers(() -> store.claim(claim(key, owner))));

        assertThat(store.claim(claim(key, owner)))
                .isInstanceOfSatisfying(
                        ClaimResult.Claimed.class,
                        claimed -> assertThat(claimed.version()).isEqualTo(made.version()));
        assertThat(foundDirectly()).isEqualTo(made);
    }

    @Test
    void claimThatTheDriverSendsAgainByItselfIsOneClaim() {
        IdempotencyStore store = new RedisIdempotencyStore(lettuce, "idempotency", "shop", Duration.ofSeconds(30));
        store.claim(claim(newKey(), owner));
        proxy.loseNextReply();

        ClaimResult result = store.claim(claim(key, owner));

        assertThat(result)
                .isInstanceOfSatisfying(
                        ClaimResult.Claimed.class,
                        claimed -> assertThat(claimed.attempts()).isEqualTo(1));
    }

    @Test
    void claimWhoseReplyWasLostOnJedisIsStillTheCallers() {
        IdempotencyStore store = storeOn(jedis);
        store.claim(claim(newKey(), owner));
        proxy.loseNextReply();

        assertThatThrownBy(() -> store.claim(claim(key, owner))).isInstanceOf(StoreUnavailableException.class);
        IdempotencyRecord made = foundDirectly();

        assertThat(store.claim(claim(key, owner)))
                .isInstanceOfSatisfying(
                        ClaimResult.Claimed.class,
                        claimed -> assertThat(claimed.version()).isEqualTo(made.version()));
    }

    @Test
    void renewalWhoseReplyWasLostIsAskedForAgain() {
        IdempotencyStore store = storeOn(jedis);
        TestClaims.renewed(store, newKey(), owner, HOUR, HOUR);
        store.claim(claim(key, owner));
        IdempotencyRecord before = foundDirectly();
        proxy.loseNextReply();

        assertThatThrownBy(() -> TestClaims.renewed(store, key, owner, HOUR, HOUR))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(foundDirectly().leaseEnd()).isAfter(before.leaseEnd());
        assertThat(TestClaims.renewed(store, key, owner, HOUR, HOUR)).isTrue();
    }

    @Test
    void successWhoseReplyWasLostIsAskedForAgain() {
        for (RedisConnectionFactory connections : List.of(lettuce, jedis)) {
            IdempotencyStore store = storeOn(connections);
            RecordKey each = newKey();
            store.claim(claim(each, owner));
            proxy.refuse(true);
            proxy.loseNextReply();

            assertThatThrownBy(() -> store.complete(each, owner, SUCCESS))
                    .isInstanceOf(StoreUnavailableException.class);
            proxy.refuse(false);

            await().atMost(Duration.ofSeconds(30)).until(answers(() -> store.complete(each, owner, SUCCESS)));
            assertThat(store.complete(each, owner, SUCCESS)).isInstanceOf(CompletionResult.Applied.class);
            assertThat(store.claim(claim(each, OwnerToken.random()))).isInstanceOf(ClaimResult.Completed.class);
        }
    }

    /** The driver itself would wait an hour for it. */
    @Test
    void firstConnectionToAHostThatSaysNothingIsNotWaitedFor() {
        LettuceConnectionFactory patient = patient();
        IdempotencyStore store = storeOn(patient);
        proxy.swallow(true);

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> store.find(key))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasCauseInstanceOf(TimeoutException.class);
        }
        proxy.swallow(false);
        proxy.cut();

        await().atMost(Duration.ofSeconds(30)).until(answers(() -> store.find(key)));
        patient.destroy();
    }

    @Test
    void manyCallersMakeOneAttemptToConnect() throws Exception {
        LettuceConnectionFactory patient = patient();
        IdempotencyStore store = storeOn(patient);
        proxy.swallow(true);
        ExecutorService callers = Executors.newFixedThreadPool(50);
        List<Callable<Boolean>> calls = Collections.nCopies(200, answers(() -> store.find(key)));

        for (Future<Boolean> answered : callers.invokeAll(calls)) {
            assertThat(answered.get()).isFalse();
        }

        assertThat(proxy.accepted()).isOne();
        proxy.cut();
        callers.shutdown();
        patient.destroy();
    }

    private LettuceConnectionFactory patient() {
        Duration hour = Duration.ofHours(1);
        LettuceConnectionFactory factory = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration(proxy.host(), proxy.port()),
                LettuceClientConfiguration.builder()
                        .commandTimeout(hour)
                        .clientOptions(ClientOptions.builder()
                                .socketOptions(SocketOptions.builder()
                                        .connectTimeout(hour)
                                        .build())
                                .timeoutOptions(TimeoutOptions.enabled(hour))
                                .build())
                        .shutdownTimeout(Duration.ZERO)
                        .build());
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    @Test
    void failureWhoseReplyWasLostCountsOnce() {
        IdempotencyStore store = storeOn(jedis);
        store.complete(newKey(), owner, FAILURE);
        store.claim(claim(key, owner));
        proxy.loseNextReply();

        assertThatThrownBy(() -> store.complete(key, owner, FAILURE)).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.complete(key, owner, FAILURE)).isInstanceOf(CompletionResult.Applied.class);

        assertThat(foundDirectly().window().failures()).hasSize(1);
    }

    @Test
    void commandThatNobodyWaitsForAnyMoreIsNotSentAfterTheReconnect() {
        IdempotencyStore store = storeOn(lettuce);
        store.claim(claim(key, owner));
        RecordKey late = newKey();
        proxy.refuse(true);
        proxy.cut();
        assertThatThrownBy(() -> store.claim(claim(late, owner))).isInstanceOf(StoreUnavailableException.class);

        proxy.refuse(false);
        await().atMost(Duration.ofSeconds(30)).until(answers(() -> store.find(key)));

        assertThat(store.find(late)).isInstanceOf(Lookup.Absent.class);
    }

    @Test
    void interruptedCallerStaysInterrupted() {
        IdempotencyStore store = storeOn(lettuce);
        store.find(key);
        proxy.swallow(true);

        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> store.find(key))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void connectionsAreGivenBack() {
        IdempotencyStore store = storeOn(jedis);
        int more = jedis.getPoolConfig().getMaxTotal() + 2;

        for (int i = 0; i < more; i++) {
            store.find(key);
        }
        proxy.refuse(true);
        for (int i = 0; i < more; i++) {
            proxy.loseNextReply();
            assertThatThrownBy(() -> store.find(key)).isInstanceOf(StoreUnavailableException.class);
        }
        proxy.refuse(false);

        await().atMost(Duration.ofSeconds(30)).until(answers(() -> store.find(key)));
    }

    private void mustOutliveARestart(IdempotencyStore store) {
        store.claim(claim(key, owner));
        redis.stop();

        mustBeUnavailable(store);

        redis.start();
        await().atMost(Duration.ofSeconds(30)).until(answers(() -> store.find(key)));
        assertThat(store.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
        assertThat(store.complete(key, owner, SUCCESS)).isInstanceOf(CompletionResult.Applied.class);
    }

    private void mustBeUnavailable(IdempotencyStore store) {
        assertThatThrownBy(() -> store.claim(claim(key, owner)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasCauseInstanceOf(Exception.class);
        assertThatThrownBy(() -> TestClaims.renewed(store, key, owner, HOUR, HOUR))
                .isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> store.complete(key, owner, SUCCESS)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> store.find(key)).isInstanceOf(StoreUnavailableException.class);
    }

    private IdempotencyRecord foundDirectly() {
        LettuceConnectionFactory direct = TestConnections.lettuce(redis);
        try {
            return ((Lookup.Found) storeOn(direct).find(key)).found();
        } finally {
            direct.destroy();
        }
    }

    private static IdempotencyStore storeOn(RedisConnectionFactory connections) {
        return new RedisIdempotencyStore(connections, "idempotency", "shop", COMMAND_TIMEOUT);
    }

    /** Whether the store has come back; what it says is checked afterwards. */
    private static Callable<Boolean> answers(Runnable step) {
        return () -> {
            try {
                step.run();
                return true;
            } catch (StoreUnavailableException e) {
                return false;
            }
        };
    }
}
