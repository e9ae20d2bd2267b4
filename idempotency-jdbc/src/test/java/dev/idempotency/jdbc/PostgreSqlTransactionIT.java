// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static dev.idempotency.jdbc.TestClaims.HOUR;
import static dev.idempotency.jdbc.TestClaims.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.StoreUnavailableException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

class PostgreSqlTransactionIT extends ServerTransactionRules {

    PostgreSqlTransactionIT() {
        super(Database.POSTGRESQL);
    }

    @Override
    void cutConnection() {
        Integer pid = jdbc.queryForObject("SELECT pg_backend_pid()", Integer.class);
        elsewhere(() ->
                new JdbcTemplate(pool).queryForObject("SELECT pg_terminate_backend(?, 10000)", Boolean.class, pid));
    }

    /** What docs/jdbc.md says of snapshots: the end is refused, never written on top of the renewal. */
    @ParameterizedTest
    @ValueSource(ints = {TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE})
    void snapshotOlderThanTheLastRenewalIsRefused(int isolation) {
        store.claim(claim(key, owner));
        TransactionTemplate transactions = transactions(pool);
        transactions.setIsolationLevel(isolation);

        assertThatThrownBy(() -> transactions.execute(transaction -> {
                    jdbc.queryForObject("SELECT COUNT(*) FROM effect", Long.class);
                    assertThat(elsewhere(() -> TestClaims.renewed(store, key, owner, HOUR, HOUR)))
                            .isTrue();
                    return completeInTransaction();
                }))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("40001");

        IdempotencyRecord found = found();
        assertThat(found.isOwned(found.createdAt())).isTrue();
    }
}
