// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static dev.idempotency.jdbc.TestClaims.HOUR;
import static dev.idempotency.jdbc.TestClaims.RELEASE;
import static dev.idempotency.jdbc.TestClaims.SUCCESS;
import static dev.idempotency.jdbc.TestClaims.claim;
import static dev.idempotency.jdbc.TestClaims.newKey;
import static dev.idempotency.jdbc.TestClaims.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Clean-up on one database, in tables of its own. */
abstract class CleanupRules {

    static final String PREFIX = "cleanup_";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    final HikariDataSource pool;
    final JdbcTemplate jdbc;
    final JdbcIdempotencyStore store;
    final JdbcSchema schema;

    CleanupRules(Database database) {
        this.pool = TestDatabase.shared(database).pool(6);
        this.jdbc = new JdbcTemplate(pool);
        this.schema = new JdbcSchema(pool, PREFIX);
        this.store = new JdbcIdempotencyStore(pool, PREFIX, "shop", TIMEOUT);
    }

    @BeforeEach
    void open() {
        schema.drop();
        schema.create();
    }

    @AfterEach
    void close() {
        schema.drop();
        pool.close();
    }

    @Test
    void expiredRecordsAreDeletedInBatches() {
        claimed(25);
        age();

        assertThat(cleanup(10).run()).isEqualTo(25);
        assertThat(rows()).isZero();
        assertThat(cleanup(10).run()).isZero();
    }

    @Test
    void recordsThatAnswerOrHaveOnlyJustExpiredStay() {
        OwnerToken owner = OwnerToken.random();
        RecordKey pending = newKey();
        store.claim(claim(pending, owner));
        RecordKey done = newKey();
        store.claim(claim(done, owner));
        store.complete(done, owner, SUCCESS);
        RecordKey expired = newKey();
        store.claim(claim(expired, owner));
        store.complete(expired, owner, new Completion.Success(payload("short"), Duration.ofMillis(1)));
        RecordKey released = newKey();
        store.claim(claim(released, owner));
        store.complete(released, owner, RELEASE);
        await().until(() -> store.find(expired) instanceof Lookup.Absent);

        assertThat(cleanup(10).run()).isZero();

        assertThat(rows()).isEqualTo(4);
        assertThat(store.find(pending)).isInstanceOf(Lookup.Found.class);
        assertThat(store.find(done)).isInstanceOf(Lookup.Found.class);
        assertThat(store.find(released)).isInstanceOf(Lookup.Absent.class);
    }

    @Test
    void recordThatIsClaimedAtTheSameTimeIsNeverDeleted() {
        AtomicLong deleted = new AtomicLong();
        for (int round = 0; round < 60; round++) {
            List<RecordKey> keys = claimed(20);
            age();
            OwnerToken owner = OwnerToken.random();
            AtomicInteger arrived = new AtomicInteger();
            CompletableFuture<Void> cleaning = CompletableFuture.runAsync(() -> {
                meet(arrived);
                deleted.addAndGet(cleanup(5).run());
            });
            meet(arrived);
            for (RecordKey key : keys) {
                assertThat(store.claim(claim(key, owner))).isInstanceOf(ClaimResult.Claimed.class);
            }
            cleaning.join();

            for (RecordKey key : keys) {
                assertThat(TestClaims.renewed(store, key, owner, HOUR, HOUR)).isTrue();
            }
        }
        assertThat(deleted.get()).isPositive();
    }

    @Test
    void severalInstancesDeleteEveryRecordOnce() {
        claimed(200);
        age();
        List<CompletableFuture<Long>> runs = new ArrayList<>();
        AtomicInteger arrived = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
            runs.add(CompletableFuture.supplyAsync(() -> {
                meet(arrived);
                return cleanup(7).run();
            }));
        }

        long total = runs.stream().mapToLong(CompletableFuture::join).sum();

        total += cleanup(100).run();
        assertThat(total).isEqualTo(200);
        assertThat(rows()).isZero();
    }

    @Test
    void runsFromTimeToTimeAndTellsOfIt() {
        AtomicLong heard = new AtomicLong();
        CleanupListener listener = new CleanupListener() {
            @Override
            public void cleaned(long records, Duration duration) {
                heard.addAndGet(records);
                throw new IllegalStateException("a listener's own trouble");
            }
        };
        try (JdbcCleanup cleanup =
                new JdbcCleanup(pool, PREFIX, TIMEOUT, Duration.ofMillis(20), 10, List.of(listener))) {
            cleanup.start();
            claimed(3);
            age();
            await().until(() -> heard.get() == 3);
            claimed(2);
            age();
            await().until(() -> heard.get() == 5);
        }
    }

    @Test
    void goesOnAfterAFailure() {
        AtomicLong failures = new AtomicLong();
        AtomicLong runs = new AtomicLong();
        CleanupListener listener = new CleanupListener() {
            @Override
            public void cleaned(long records, Duration duration) {
                runs.incrementAndGet();
            }

            @Override
            public void cleanupFailed(RuntimeException failure) {
                failures.incrementAndGet();
            }
        };
        schema.drop();
        try (JdbcCleanup cleanup =
                new JdbcCleanup(pool, PREFIX, TIMEOUT, Duration.ofMillis(20), 10, List.of(listener))) {
            cleanup.start();
            await().until(() -> failures.get() > 0);
            schema.create();
            await().until(() -> runs.get() > 0);
        }
    }

    final JdbcCleanup cleanup(int batchSize) {
        return new JdbcCleanup(pool, PREFIX, TIMEOUT, Duration.ofMinutes(1), batchSize, List.of());
    }

    final List<RecordKey> claimed(int count) {
        List<RecordKey> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RecordKey key = newKey();
            store.claim(claim(key, OwnerToken.random()));
            keys.add(key);
        }
        return keys;
    }

    /** Lets all records have expired long ago. */
    final void age() {
        jdbc.update("UPDATE cleanup_record SET expires_at = 1, updated_at = 1, lease_end = 1");
    }

    final int rows() {
        return jdbc.queryForObject("SELECT COUNT(*) FROM cleanup_record", Integer.class);
    }

    private static void meet(AtomicInteger arrived) {
        arrived.incrementAndGet();
        while (arrived.get() < 2) {
            Thread.onSpinWait();
        }
    }
}
