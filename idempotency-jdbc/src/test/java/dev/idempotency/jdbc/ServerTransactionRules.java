// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static dev.idempotency.jdbc.TestClaims.FAILURE;
import static dev.idempotency.jdbc.TestClaims.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.StoreUnavailableException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;

/** The same on a server, to which connections can be lost. */
abstract class ServerTransactionRules extends TransactionRules {

    final JdbcTemplate jdbc = new JdbcTemplate(pool);

    ServerTransactionRules(Database database) {
        super(database);
    }

    /** Ends the connection of the running transaction from outside. */
    abstract void cutConnection();

    @BeforeEach
    void makeEffects() {
        jdbc.execute("CREATE TABLE IF NOT EXISTS effect (record_key VARCHAR(64) PRIMARY KEY)");
    }

    @Test
    void connectionLostBeforeTheCommitLeavesNeitherEffectNorSuccess() {
        store.claim(claim(key, owner));

        assertThatThrownBy(() -> inTransaction(transaction -> {
                    jdbc.update("INSERT INTO effect VALUES (?)", key.hex());
                    mustApply(completeInTransaction());
                    cutConnection();
                    return true;
                }))
                .isInstanceOf(TransactionException.class);

        assertThat(store.complete(key, owner, FAILURE)).isInstanceOf(CompletionResult.Applied.class);
        assertThat(found().status()).isEqualTo(RecordStatus.FAILED);
        assertThat(effects()).isZero();
    }

    @Test
    void connectionLostBeforeTheEndIsAStoreWithoutAnswer() {
        store.claim(claim(key, owner));

        assertThatThrownBy(() -> inTransaction(transaction -> {
                    jdbc.update("INSERT INTO effect VALUES (?)", key.hex());
                    cutConnection();
                    assertThatThrownBy(this::completeInTransaction).isInstanceOf(StoreUnavailableException.class);
                    return true;
                }))
                .isInstanceOf(TransactionException.class);

        assertThat(found().status()).isEqualTo(RecordStatus.PENDING);
        assertThat(effects()).isZero();
    }

    private int effects() {
        return jdbc.queryForObject("SELECT COUNT(*) FROM effect WHERE record_key = ?", Integer.class, key.hex());
    }
}
