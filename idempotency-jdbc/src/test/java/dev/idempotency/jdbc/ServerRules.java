// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static dev.idempotency.jdbc.TestClaims.HOUR;
import static dev.idempotency.jdbc.TestClaims.SUCCESS;
import static dev.idempotency.jdbc.TestClaims.claim;
import static dev.idempotency.jdbc.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** What else has to hold on a database: keys, time zones, connections, damaged rows. */
abstract class ServerRules {

    final OwnerToken owner = OwnerToken.random();
    final RecordKey key = newKey();
    final TestDatabase database;
    final HikariDataSource pool;
    final JdbcIdempotencyStore store;

    ServerRules(Database database) {
        this.database = TestDatabase.shared(database);
        this.pool = this.database.pool(4);
        this.store = new JdbcIdempotencyStore(pool, "shop");
    }

    @AfterEach
    void close() {
        pool.close();
    }

    /** URL whose sessions have this offset from UTC, if the database does not take the JVM's time zone by itself. */
    String urlWithOffset(String offset) {
        return database.url();
    }

    @Test
    void nodesInDifferentTimeZonesAgree() {
        try (HikariDataSource west = poolIn("America/New_York", "-05:00");
                HikariDataSource east = poolIn("Asia/Tokyo", "+09:00")) {
            JdbcIdempotencyStore here = new JdbcIdempotencyStore(west, "shop");
            JdbcIdempotencyStore there = new JdbcIdempotencyStore(east, "shop");
            Duration lease = Duration.ofSeconds(30);
            here.claim(claim(key, owner, lease));

            assertThat(there.claim(claim(key, OwnerToken.random())))
                    .isInstanceOfSatisfying(
                            ClaimResult.InProgress.class,
                            refused ->
                                    assertThat(refused.remaining()).isPositive().isLessThanOrEqualTo(lease));
            assertThat(TestClaims.renewed(there, key, owner, HOUR, HOUR)).isTrue();
            CompletionResult ended = TransactionRules.transactions(east)
                    .execute(transaction -> there.transactionParticipant().complete(key, owner, SUCCESS));
            TransactionRules.mustApply(ended);

            IdempotencyRecord found = found(here, key);
            assertThat(found).isEqualTo(found(there, key));
            assertThat(Duration.between(found.createdAt(), found.updatedAt()))
                    .isBetween(Duration.ZERO, HOUR.dividedBy(2));
            assertThat(Duration.between(Instant.now(), found.updatedAt()).abs())
                    .as("in UTC")
                    .isLessThan(HOUR.dividedBy(2));
        }
    }

    private HikariDataSource poolIn(String timeZone, String offset) {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone(timeZone));
        try {
            HikariDataSource opened = TestDatabase.pool(urlWithOffset(offset), 1);
            new JdbcTemplate(opened).queryForObject("SELECT 1", Integer.class);
            return opened;
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void keysThatDifferInOneBitOrOneLetterAreDifferent() {
        List<RecordKey> keys = new ArrayList<>();
        for (String hex : List.of(
                "00".repeat(32),
                "ff".repeat(32),
                "00".repeat(31) + "20",
                "20".repeat(32),
                "61".repeat(32),
                "41".repeat(32))) {
            for (String bizType : List.of("a", "A", "a".repeat(64), "A".repeat(64))) {
                keys.add(RecordKey.ofHex(bizType, hex));
            }
        }
        String run = OwnerToken.random().toString();
        for (String namespace : List.of("caf\u00e9", "cafe", "CAFE", "\ud83d\ude00", "\ud83d\ude01", "x".repeat(100))) {
            JdbcIdempotencyStore spaced = new JdbcIdempotencyStore(pool, namespace + run);
            for (RecordKey one : keys) {
                assertThat(spaced.claim(claim(one, OwnerToken.random()))).isInstanceOf(ClaimResult.Claimed.class);
            }
            for (RecordKey one : keys) {
                assertThat(spaced.claim(claim(one, OwnerToken.random()))).isInstanceOf(ClaimResult.InProgress.class);
            }
        }
    }

    @Test
    void keyMadeOfLongPartsIsAsGoodAsAnyOther() {
        RecordKey longKey = RecordKey.builder("b".repeat(64))
                .part("key", "\u00e4".repeat(300))
                .part("test", owner.toString())
                .build();

        assertThat(store.claim(claim(longKey, owner))).isInstanceOf(ClaimResult.Claimed.class);
        assertThat(found(store, longKey).key()).isEqualTo(longKey);
    }

    @Test
    void largeAnswersAreKeptWhole() {
        byte[] large = new byte[3_000_000];
        new Random(7).nextBytes(large);
        store.claim(claim(key, owner));

        TransactionRules.mustApply(store.complete(key, owner, new Completion.Success(Payload.of(large), HOUR)));

        assertThat(found(store, key).payload().bytes()).isEqualTo(large);
    }

    @Test
    void noConnectionIsHeldBetweenSteps() throws Exception {
        store.claim(claim(key, owner));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        ExecutorService repeats = Executors.newFixedThreadPool(8);
        try {
            List<CompletableFuture<ClaimResult>> answers = new ArrayList<>();
            for (int i = 0; i < 80; i++) {
                answers.add(CompletableFuture.supplyAsync(() -> store.claim(claim(key, OwnerToken.random())), repeats));
            }
            for (CompletableFuture<ClaimResult> answer : answers) {
                assertThat(answer.get()).isInstanceOf(ClaimResult.InProgress.class);
            }
        } finally {
            repeats.shutdown();
        }
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    @Test
    void rowOfAnotherFormatOrDamagedIsLeftAlone() {
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        for (String damage : List.of("format = 2", "status = 9", "format = 0, expires_at = 1")) {
            RecordKey damaged = newKey();
            store.claim(claim(damaged, owner));
            jdbc.update(
                    "UPDATE idempotency_record SET " + damage + " WHERE record_key = ?", (Object) damaged.toBytes());

            assertThat(store.find(damaged)).isInstanceOf(Lookup.Unreadable.class);
            assertThat(store.claim(claim(damaged, owner))).isEqualTo(new ClaimResult.Unreadable());
            assertThat(store.claim(claim(damaged, OwnerToken.random()))).isEqualTo(new ClaimResult.Unreadable());
            assertThat(store.complete(damaged, owner, SUCCESS)).isEqualTo(new CompletionResult.Stale());
            assertThat(store.find(damaged)).isInstanceOf(Lookup.Unreadable.class);
        }
    }

    @Test
    void timesBeyondAllReasonAreCutNotOverflown() {
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
        store.claim(claim(key, owner, endless));

        assertThat(TestClaims.renewed(store, key, owner, endless, endless)).isTrue();
        TransactionRules.mustApply(store.complete(key, owner, new Completion.Success(Payload.EMPTY, endless)));

        assertThat(found(store, key).expiresAt())
                .isAfter(found(store, key).createdAt().plus(Duration.ofDays(36_524)));
    }

    static IdempotencyRecord found(JdbcIdempotencyStore store, RecordKey key) {
        return ((Lookup.Found) store.find(key)).found();
    }
}
