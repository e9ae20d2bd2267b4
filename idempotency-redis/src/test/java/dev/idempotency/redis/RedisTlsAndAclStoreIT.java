// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static dev.idempotency.redis.TestClaims.HOUR;
import static dev.idempotency.redis.TestClaims.SUCCESS;
import static dev.idempotency.redis.TestClaims.claim;
import static dev.idempotency.redis.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.EndSignals;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RouteStates;
import dev.idempotency.store.StoreUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Over TLS, as a user who may say and touch nothing beyond what docs/redis.md lists. */
class RedisTlsAndAclStoreIT extends TopologyTck {

    /** The list in docs/redis.md. */
    private static final List<String> RULES = List.of(
            "resetkeys",
            "resetchannels",
            "-@all",
            "~idempotency:*",
            "&idempotency:*",
            "+evalsha",
            "+eval",
            "+time",
            "+get",
            "+set",
            "+del",
            "+publish",
            "+subscribe",
            "+unsubscribe",
            "+info");

    @TempDir
    private static Path directory;

    private static LocalRedis redis;
    private static int tlsPort;
    private static TestCertificate certificate;
    private static BootRedis application;

    @BeforeAll
    static void start() throws Exception {
        certificate = TestCertificate.in(directory);
        tlsPort = LocalRedis.freePort();
        redis = LocalRedis.start(settings -> settings.setting("tls-port " + tlsPort)
                .setting("tls-cert-file " + certificate.certificate())
                .setting("tls-key-file " + certificate.key())
                .setting("tls-ca-cert-file " + certificate.certificate())
                .setting("tls-auth-clients no"));
        createUser("app", RULES);
        application = connect("app");
    }

    @AfterAll
    static void stop() {
        application.close();
        redis.close();
    }

    @Override
    BootRedis application() {
        return application;
    }

    @Test
    void aServerWithAnotherCertificateIsNotTrusted() throws Exception {
        TestCertificate other = TestCertificate.in(Files.createDirectory(directory.resolve("other")));
        try (BootRedis distrusting = connect("app", other)) {
            IdempotencyStore store = new RedisIdempotencyStore(distrusting.connections(), "shop");
            assertThatThrownBy(() -> store.find(newKey())).isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void waitersAreWoken() {
        RedisIdempotencyStore store = new RedisIdempotencyStore(application.connections(), "shop");
        RecordKey key = newKey();
        AtomicBoolean woken = new AtomicBoolean();
        EndSignals.Subscription subscription = store.endSignals().subscribe(key, () -> woken.set(true));
        await().atMost(Duration.ofSeconds(10)).until(() -> {
            OwnerToken owner = OwnerToken.random();
            store.claim(claim(key, owner));
            store.claim(TestClaims.waiting(key));
            store.complete(key, owner, TestClaims.RELEASE);
            return woken.get();
        });
        subscription.close();
        store.close();
    }

    @Test
    void theServerCheckIsAllowedToLook() {
        assertThat(new RedisServerCheck(application.connections(), 0).check().concerns())
                .isNotEmpty()
                .noneMatch(sentence -> sentence.contains("INFO"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"+evalsha", "+eval", "+time", "+get", "+set", "+del", "~idempotency:*"})
    void noRuleOfTheListIsNeedless(String rule) {
        redis.command("SCRIPT", "FLUSH");
        List<String> without = new ArrayList<>(RULES);
        without.remove(rule);
        String user = "without" + rule.charAt(1) + without.hashCode();
        createUser(user, without);
        try (BootRedis restricted = connect(user)) {
            IdempotencyStore store = new RedisIdempotencyStore(restricted.connections(), "shop");
            assertThatThrownBy(() -> {
                        OwnerToken owner = OwnerToken.random();
                        RecordKey key = newKey();
                        store.claim(claim(key, owner));
                        TestClaims.renewed(store, key, owner, HOUR, HOUR);
                        store.complete(key, owner, TestClaims.RELEASE);
                    })
                    .isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void publishingMayBeForbidden() {
        List<String> mute = new ArrayList<>(RULES);
        mute.removeAll(List.of("+publish", "+subscribe", "+unsubscribe", "&idempotency:*", "+info"));
        createUser("mute", mute);
        try (BootRedis restricted = connect("mute")) {
            IdempotencyStore store = new RedisIdempotencyStore(restricted.connections(), "shop");
            OwnerToken owner = OwnerToken.random();
            RecordKey key = newKey();
            store.claim(claim(key, owner));
            store.claim(TestClaims.waiting(key));
            store.complete(key, owner, SUCCESS);
            assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.Completed.class);
        }
    }

    @Test
    void aRouteBreakerTakesFiveMore() {
        createUser("breaking", withRoutes());
        takesStepsAtRoutes("breaking");
    }

    @ParameterizedTest
    @ValueSource(strings = {"+hget", "+hset", "+hdel", "+hgetall", "+pexpire"})
    void noneOfTheFiveIsNeedless(String rule) {
        List<String> without = withRoutes();
        without.remove(rule);
        String user = "routes" + rule.substring(1);
        createUser(user, without);
        assertThatThrownBy(() -> takesStepsAtRoutes(user)).isInstanceOf(StoreUnavailableException.class);
    }

    private static List<String> withRoutes() {
        List<String> more = new ArrayList<>(RULES);
        more.addAll(List.of("+hget", "+hset", "+hdel", "+hgetall", "+pexpire"));
        return more;
    }

    private static void takesStepsAtRoutes(String user) {
        try (BootRedis permitted = connect(user)) {
            RouteStates states = new RedisIdempotencyStore(permitted.connections(), "shop").routeStates();
            String bizType = "of_" + user;
            Payload state = Payload.of(new byte[] {1});
            assertThat(states.replace(bizType, Payload.EMPTY, state)).isTrue();
            assertThat(states.read().of(bizType)).isEqualTo(state);
            assertThat(states.replace(bizType, state, Payload.EMPTY)).isTrue();
        }
    }

    @Test
    void waitingForReplicasTakesTwoMore() {
        List<String> more = new ArrayList<>(RULES);
        more.addAll(List.of("+wait", "+client|id"));
        createUser("waiting", more);
        try (BootRedis permitted = connect("waiting")) {
            RedisIdempotencyStore store = new RedisIdempotencyStore(
                    permitted.connections(),
                    "idempotency",
                    "shop",
                    Duration.ofSeconds(20),
                    new ReplicaWait(1, Duration.ofMillis(1)));
            assertThatThrownBy(() -> store.claim(claim(newKey(), OwnerToken.random())))
                    .hasMessageEndingWith("needs 1 replicas of Redis, but 0 have it");
            store.close();
        }
    }

    private static void createUser(String name, List<String> rules) {
        List<String> words = new ArrayList<>(List.of("SETUSER", name, "reset", "on", ">secret"));
        words.addAll(rules);
        redis.command("ACL", words.toArray(new String[0]));
    }

    private static BootRedis connect(String user) {
        return connect(user, certificate);
    }

    private static BootRedis connect(String user, TestCertificate trusted) {
        return BootRedis.with(
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + tlsPort,
                "spring.data.redis.username=" + user,
                "spring.data.redis.password=secret",
                "spring.data.redis.ssl.bundle=redis",
                "spring.ssl.bundle.pem.redis.truststore.certificate="
                        + trusted.certificate().toUri());
    }
}
