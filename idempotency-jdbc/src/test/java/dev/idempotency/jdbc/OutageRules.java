// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static dev.idempotency.jdbc.TestClaims.FAILURE;
import static dev.idempotency.jdbc.TestClaims.HOUR;
import static dev.idempotency.jdbc.TestClaims.SUCCESS;
import static dev.idempotency.jdbc.TestClaims.claim;
import static dev.idempotency.jdbc.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;

/** A server that is killed and started again. */
abstract class OutageRules {

    private final OwnerToken owner = OwnerToken.random();
    private final TestDatabase database;
    private final HikariDataSource pool;
    private final JdbcIdempotencyStore store;

    OutageRules(Database database) {
        this.database = TestDatabase.startPrivate(database);
        this.pool = this.database.pool(4);
        this.store = new JdbcIdempotencyStore(pool, "shop");
    }

    @AfterEach
    void close() {
        pool.close();
        database.stop();
    }

    @Test
    void recordsSurviveAKilledServerAndEffectsAreThereExactlyWithThem() {
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        jdbc.execute("CREATE TABLE effect (record_key VARCHAR(64) PRIMARY KEY)");
        RecordKey pending = claimed();
        RecordKey done = claimed();
        store.complete(done, owner, SUCCESS);
        RecordKey committed = claimed();
        TransactionRules.transactions(pool).executeWithoutResult(transaction -> {
            jdbc.update("INSERT INTO effect VALUES (?)", committed.hex());
            TransactionRules.mustApply(store.transactionParticipant().complete(committed, owner, SUCCESS));
        });
        RecordKey lost = claimed();

        assertThatThrownBy(() -> TransactionRules.transactions(pool).executeWithoutResult(transaction -> {
                    jdbc.update("INSERT INTO effect VALUES (?)", lost.hex());
                    TransactionRules.mustApply(store.transactionParticipant().complete(lost, owner, SUCCESS));
                    database.kill();
                }))
                .isInstanceOf(TransactionException.class);
        mustBeUnavailable();
        database.start();
        await().atMost(Duration.ofSeconds(60)).until(this::answers);

        assertThat(ServerRules.found(store, pending).status()).isEqualTo(RecordStatus.PENDING);
        assertThat(ServerRules.found(store, done).status()).isEqualTo(RecordStatus.SUCCESS);
        assertThat(ServerRules.found(store, committed).status()).isEqualTo(RecordStatus.SUCCESS);
        assertThat(ServerRules.found(store, lost).status()).isEqualTo(RecordStatus.PENDING);
        assertThat(jdbc.queryForList("SELECT record_key FROM effect", String.class))
                .containsExactly(committed.hex());
        TransactionRules.mustApply(store.complete(lost, owner, FAILURE));
        assertThat(store.claim(claim(lost, OwnerToken.random()))).isInstanceOf(ClaimResult.Claimed.class);
    }

    private RecordKey claimed() {
        RecordKey key = newKey();
        store.claim(claim(key, owner));
        return key;
    }

    private void mustBeUnavailable() {
        RecordKey key = newKey();
        assertThatThrownBy(() -> store.claim(claim(key, owner))).isInstanceOf(StoreUnavailableException.class);
        pool.getHikariConfigMXBean().setConnectionTimeout(300);
        assertThatThrownBy(() -> TestClaims.renewed(store, key, owner, HOUR, HOUR))
                .isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> store.complete(key, owner, SUCCESS)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> store.find(key)).isInstanceOf(StoreUnavailableException.class);
        pool.getHikariConfigMXBean().setConnectionTimeout(10_000);
    }

    private boolean answers() {
        try {
            store.find(newKey());
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }
}
