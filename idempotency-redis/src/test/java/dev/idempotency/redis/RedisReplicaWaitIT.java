// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static dev.idempotency.redis.TestClaims.FAILURE;
import static dev.idempotency.redis.TestClaims.RELEASE;
import static dev.idempotency.redis.TestClaims.SUCCESS;
import static dev.idempotency.redis.TestClaims.claim;
import static dev.idempotency.redis.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Row C66: what replicas that are there, paused or away mean for claims and ends. */
@Timeout(120)
class RedisReplicaWaitIT {

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(20);
    private static final ReplicaWait ONE = new ReplicaWait(1, Duration.ofMillis(300));

    private final LocalRedis primary = LocalRedis.start();
    private final LocalRedis replica = LocalRedis.replicaOf(primary);
    private final LettuceConnectionFactory lettuce = TestConnections.lettuce(LocalRedis.HOST, primary.port());
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final RedisIdempotencyStore store = store(lettuce, ONE);
    private final RecordKey key = newKey();
    private final OwnerToken owner = OwnerToken.random();

    @BeforeEach
    void awaitReplica() {
        awaitReplicas(1);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        lettuce.destroy();
        replica.close();
        primary.close();
    }

    @Test
    void whatIsClaimedAndEndedIsAtTheReplica() {
        for (int i = 0; i < 50; i++) {
            RecordKey each = newKey();
            assertThat(store.claim(claim(each, owner))).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(at(replica, each)).isInstanceOf(Lookup.Found.class);
            Completion end = i % 2 == 0 ? SUCCESS : FAILURE;
            assertThat(store.complete(each, owner, end)).isInstanceOf(CompletionResult.Applied.class);
            assertThat(at(replica, each)).isEqualTo(at(primary, each));
        }
    }

    @Test
    void aClaimThatNoReplicaHasIsNone() {
        replica.stop();
        awaitReplicas(0);

        assertThatThrownBy(() -> store.claim(claim(key, owner)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("the step 'claim' needs 1 replicas of Redis, but 0 have it");

        assertThat(store.complete(key, owner, RELEASE)).isInstanceOf(CompletionResult.Applied.class);
        assertThat(at(primary, key)).isInstanceOf(Lookup.Absent.class);
    }

    @Test
    void aClaimThatTheReplicaGetsLaterIsStillTheCallers() {
        long process = replica.processId();
        replica.pause();
        assertThatThrownBy(() -> store.claim(claim(key, owner))).isInstanceOf(StoreUnavailableException.class);
        IdempotencyRecord made = ((Lookup.Found) at(primary, key)).found();
        for (int i = 0; i < 20; i++) {
            // Whatever connection is asked: none has confirmed it.
            assertThatThrownBy(() -> store.claim(claim(key, owner))).isInstanceOf(StoreUnavailableException.class);
        }
        replica.resume(process);

        await().atMost(Duration.ofSeconds(30)).until(() -> isClaimed(made.version()));
        assertThat(at(replica, key)).isEqualTo(at(primary, key));
    }

    @Test
    void anEndThatNoReplicaHasIsWrittenLater() {
        store.claim(claim(key, owner));
        long process = replica.processId();
        replica.pause();
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> store.complete(key, owner, SUCCESS)).isInstanceOf(StoreUnavailableException.class);
        }
        replica.resume(process);

        await().atMost(Duration.ofSeconds(30)).until(this::isApplied);
        assertThat(at(replica, key)).isEqualTo(at(primary, key));
        assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.Completed.class);
    }

    @Test
    void repeatsNeedNoReplica() {
        store.claim(claim(key, owner));
        replica.stop();
        awaitReplicas(0);
        assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.InProgress.class);
        assertThat(store.find(key)).isInstanceOf(Lookup.Found.class);
    }

    @Test
    void nobodyElseWaitsForTheReplica() {
        RedisIdempotencyStore patient = store(lettuce, new ReplicaWait(1, Duration.ofSeconds(15)));
        patient.claim(claim(newKey(), owner));
        long process = replica.processId();
        replica.pause();

        CompletableFuture<ClaimResult> waiting = CompletableFuture.supplyAsync(() -> patient.claim(claim(key, owner)));
        await().atMost(Duration.ofSeconds(10)).until(() -> at(primary, key) instanceof Lookup.Found);
        for (int i = 0; i < 20; i++) {
            TestConnections.on(lettuce, connection -> connection.ping());
            store(lettuce, ReplicaWait.NONE).find(key);
        }

        assertThat(waiting).isNotDone();
        replica.resume(process);
        assertThat(waiting.join()).isInstanceOf(ClaimResult.Claimed.class);
    }

    @Test
    void aPrimaryThatIsLostBeforeItsReplicaHadTheClaimTakesTheClaimAlong() {
        RedisIdempotencyStore trusting = store(lettuce, ReplicaWait.NONE);
        replica.command("REPLICAOF", "NO", "ONE");
        assertThat(trusting.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
        assertThatThrownBy(() -> store.claim(claim(newKey(), owner))).isInstanceOf(StoreUnavailableException.class);
        LocalRedis.signal("KILL", primary.processId());

        LettuceConnectionFactory promoted = TestConnections.lettuce(LocalRedis.HOST, replica.port());
        opened.add(promoted::destroy);
        // Without waiting, the operation runs a second time; with it, it did not run the first time.
        assertThat(store(promoted, ReplicaWait.NONE).claim(claim(key, OwnerToken.random())))
                .isInstanceOf(ClaimResult.Claimed.class);
    }

    @Test
    void aReplyThatIsLostBetweenWriteAndConfirmationIsAskedForAgain() {
        TcpProxy proxy = new TcpProxy(LocalRedis.HOST, primary.port());
        opened.add(proxy);
        LettuceConnectionFactory through = TestConnections.lettuce(proxy.host(), proxy.port());
        opened.add(0, through::destroy);
        RedisIdempotencyStore distant = store(through, ONE);
        for (int i = 0; i < 20; i++) {
            distant.claim(claim(newKey(), owner));
        }
        for (int i = 0; i < 20; i++) {
            RecordKey each = newKey();
            proxy.loseNextReply();
            try {
                assertThat(distant.claim(claim(each, owner)))
                        .isInstanceOfSatisfying(
                                ClaimResult.Claimed.class,
                                claimed -> assertThat(claimed.attempts()).isOne());
                assertThat(at(replica, each)).isInstanceOf(Lookup.Found.class);
            } catch (StoreUnavailableException unknown) {
                assertThat(unknown).hasMessageContaining("the connection changed");
            }
        }
    }

    @Test
    void overJedisTheSameIsTrue() {
        RedisConnectionFactory jedis = TestConnections.jedis(LocalRedis.HOST, primary.port());
        opened.add(((DisposableBean) jedis)::destroy);
        RedisIdempotencyStore overJedis = store(jedis, ONE);
        assertThat(overJedis.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
        assertThat(at(replica, key)).isInstanceOf(Lookup.Found.class);
        replica.stop();
        awaitReplicas(0);
        assertThatThrownBy(() -> overJedis.claim(claim(newKey(), owner))).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> overJedis.complete(key, owner, SUCCESS)).isInstanceOf(StoreUnavailableException.class);
    }

    private boolean isClaimed(long version) {
        try {
            return store.claim(claim(key, owner)) instanceof ClaimResult.Claimed claimed
                    && claimed.version() == version
                    && claimed.attempts() == 1;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    private boolean isApplied() {
        try {
            return store.complete(key, owner, SUCCESS) instanceof CompletionResult.Applied;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    private RedisIdempotencyStore store(RedisConnectionFactory connections, ReplicaWait wait) {
        RedisIdempotencyStore store =
                new RedisIdempotencyStore(connections, "idempotency", "shop", COMMAND_TIMEOUT, wait);
        opened.add(0, store);
        return store;
    }

    private static Lookup at(LocalRedis server, RecordKey key) {
        byte[] name = TestConnections.bytes("idempotency:shop:create_order:" + key.hex());
        byte[] value = server.on(connection -> connection.stringCommands().get(name));
        return value == null ? new Lookup.Absent() : RecordReader.read(key, value);
    }

    private void awaitReplicas(int count) {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            String lines = primary.info("replication").toString();
            return primary.info("replication").getProperty("connected_slaves").equals("" + count)
                    && (count == 0 || lines.contains("state=online"));
        });
    }
}
