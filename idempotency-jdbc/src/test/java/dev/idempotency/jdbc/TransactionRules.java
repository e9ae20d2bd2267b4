// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static dev.idempotency.jdbc.TestClaims.FAILURE;
import static dev.idempotency.jdbc.TestClaims.HOUR;
import static dev.idempotency.jdbc.TestClaims.SUCCESS;
import static dev.idempotency.jdbc.TestClaims.claim;
import static dev.idempotency.jdbc.TestClaims.uncertainClaim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.PreviousAttempt;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import dev.idempotency.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionTemplate;

/** Successes as a part of business transactions, on one database. */
abstract class TransactionRules {

    static final Duration SHORT = Duration.ofMillis(400);

    final RecordKey key = TestClaims.newKey();
    final OwnerToken owner = OwnerToken.random();
    final TestDatabase database;
    final HikariDataSource pool;
    final JdbcIdempotencyStore store;

    TransactionRules(Database database) {
        this.database = TestDatabase.shared(database);
        this.pool = this.database.pool(4);
        this.store = storeOn(pool);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    static JdbcIdempotencyStore storeOn(DataSource dataSource) {
        return new JdbcIdempotencyStore(dataSource, "idempotency_", "shop", Duration.ofSeconds(1));
    }

    @Test
    void successIsThereOnceTheTransactionHasCommitted() {
        store.claim(claim(key, owner));

        CompletionResult result = inTransaction(transaction -> {
            assertThat(store.transactionParticipant().isInTransaction()).isTrue();
            CompletionResult applied = completeInTransaction();
            assertThat(found().status()).isEqualTo(RecordStatus.PENDING);
            return applied;
        });

        assertThat(found().status()).isEqualTo(RecordStatus.SUCCESS);
        assertThat(found().payload()).isEqualTo(SUCCESS.payload());
        assertThat(found().expiresAt()).isEqualTo(found().updatedAt().plus(SUCCESS.ttl()));
        assertThat(result).isEqualTo(new CompletionResult.Applied(found().version(), Duration.ZERO));
    }

    @Test
    void rolledBackSuccessLeavesTheClaim() {
        store.claim(claim(key, owner));
        IdempotencyRecord pending = found();

        inTransaction(transaction -> {
            transaction.setRollbackOnly();
            return completeInTransaction();
        });

        assertThat(found()).isEqualTo(pending);
        assertThat(store.complete(key, owner, FAILURE)).isInstanceOf(CompletionResult.Applied.class);
    }

    @Test
    void claimMadeWithinATransactionIsSeenAtOnceAndOutlivesItsRollback() {
        inTransaction(transaction -> {
            store.claim(claim(key, owner));
            assertThat(CompletableFuture.supplyAsync(this::found).join().owner())
                    .isEqualTo(owner);
            transaction.setRollbackOnly();
            return true;
        });

        assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.InProgress.class);
    }

    @Test
    void nobodyTakesOverBetweenTheEndAndItsCommit() {
        store.claim(claim(key, owner, SHORT));

        inTransaction(transaction -> {
            mustApply(completeInTransaction());
            letTheLeaseEnd();
            assertThatThrownBy(() -> elsewhere(() -> store.claim(claim(key, OwnerToken.random()))))
                    .hasCauseInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> elsewhere(() -> store.claim(uncertainClaim(key, OwnerToken.random()))))
                    .hasCauseInstanceOf(StoreUnavailableException.class);
            return true;
        });

        assertThat(store.claim(claim(key, OwnerToken.random()))).isInstanceOf(ClaimResult.Completed.class);
    }

    @Test
    void heirWaitsForTheRollback() {
        store.claim(claim(key, owner, SHORT));

        inTransaction(transaction -> {
            mustApply(completeInTransaction());
            letTheLeaseEnd();
            transaction.setRollbackOnly();
            return true;
        });

        assertThat(store.claim(claim(key, OwnerToken.random())))
                .isInstanceOfSatisfying(
                        ClaimResult.Claimed.class,
                        claimed -> assertThat(claimed.previous()).isEqualTo(PreviousAttempt.ORPHANED));
    }

    /** Nor by anybody else who has locked a row. */
    @Test
    void renewalsAreNotHeldUpByOneThatIsJustBeingEnded() {
        RecordKey other = TestClaims.newKey();
        store.claim(claim(key, owner));
        store.claim(claim(other, owner));
        List<Renewal> renewals = List.of(
                new Renewal(key, owner, HOUR.multipliedBy(2), HOUR.multipliedBy(2)),
                new Renewal(other, owner, HOUR.multipliedBy(2), HOUR.multipliedBy(2)),
                new Renewal(TestClaims.newKey(), owner, HOUR, HOUR));

        inTransaction(transaction -> {
            mustApply(completeInTransaction());
            assertThat(elsewhere(() -> store.renew(renewals)))
                    .containsExactly(RenewalResult.UNANSWERED, RenewalResult.RENEWED, RenewalResult.LOST);
            transaction.setRollbackOnly();
            return true;
        });

        assertThat(store.renew(renewals))
                .containsExactly(RenewalResult.RENEWED, RenewalResult.RENEWED, RenewalResult.LOST);
    }

    @Test
    void failureWaitsForTheCommitAndIsStale() throws Exception {
        assertThat(failureMeanwhile(HOUR, true)).isInstanceOf(CompletionResult.Stale.class);
        assertThat(found().status()).isEqualTo(RecordStatus.SUCCESS);
    }

    @Test
    void failureWaitsForTheRollbackAndIsWritten() throws Exception {
        assertThat(failureMeanwhile(HOUR, false)).isInstanceOf(CompletionResult.Applied.class);
        assertThat(found().status()).isEqualTo(RecordStatus.FAILED);
    }

    @Test
    void failureAfterTheEndOfTheLeaseWaitsForTheCommitAsWell() throws Exception {
        assertThat(failureMeanwhile(SHORT, true)).isInstanceOf(CompletionResult.Stale.class);
        assertThat(found().status()).isEqualTo(RecordStatus.SUCCESS);
    }

    /** A failure that is written while the success is in a transaction that has not ended. */
    private CompletionResult failureMeanwhile(Duration lease, boolean commits) throws Exception {
        JdbcIdempotencyStore patient = new JdbcIdempotencyStore(pool, "idempotency_", "shop", Duration.ofSeconds(30));
        store.claim(claim(key, owner, lease));
        CompletableFuture<CompletionResult> failure = inTransaction(transaction -> {
            mustApply(completeInTransaction());
            if (lease.equals(SHORT)) {
                letTheLeaseEnd();
            }
            if (!commits) {
                transaction.setRollbackOnly();
            }
            CompletableFuture<CompletionResult> waiting =
                    CompletableFuture.supplyAsync(() -> patient.complete(key, owner, FAILURE));
            assertThatThrownBy(() -> waiting.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            return waiting;
        });
        return failure.get(30, TimeUnit.SECONDS);
    }

    @Test
    void ownerWhoseOperationWasTakenOverIsStale() {
        store.claim(claim(key, owner, SHORT));
        letTheLeaseEnd();
        OwnerToken heir = OwnerToken.random();
        store.claim(claim(key, heir));

        CompletionResult result = inTransaction(transaction -> completeInTransaction());

        assertThat(result).isInstanceOf(CompletionResult.Stale.class);
        assertThat(found().owner()).isEqualTo(heir);
    }

    @Test
    void leaseEndsByTheWallClockHoweverOldTheTransactionIs() {
        CompletionResult result = inTransaction(transaction -> {
            new JdbcTemplate(pool).queryForList("SELECT CURRENT_TIMESTAMP");
            elsewhere(() -> store.claim(claim(key, owner, SHORT)));
            letTheLeaseEnd();
            return completeInTransaction();
        });

        assertThat(result).isInstanceOf(CompletionResult.Stale.class);
    }

    @Test
    void sameEndAskedForAgainIsTheSame() {
        store.claim(claim(key, owner));
        CompletionResult first = inTransaction(transaction -> completeInTransaction());

        CompletionResult again = inTransaction(transaction -> completeInTransaction());

        assertThat(again).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                TransactionDefinition.ISOLATION_READ_UNCOMMITTED,
                TransactionDefinition.ISOLATION_READ_COMMITTED,
                TransactionDefinition.ISOLATION_REPEATABLE_READ,
                TransactionDefinition.ISOLATION_SERIALIZABLE
            })
    void everyIsolationLevelWillDo(int isolation) {
        store.claim(claim(key, owner));
        TransactionTemplate transactions = transactions(pool);
        transactions.setIsolationLevel(isolation);

        transactions.executeWithoutResult(transaction -> {
            new JdbcTemplate(pool).queryForList("SELECT version FROM idempotency_record WHERE attempts > 1000");
            mustApply(completeInTransaction());
        });

        assertThat(found().status()).isEqualTo(RecordStatus.SUCCESS);
    }

    @Test
    void transactionMayBeThatOfAProxyOfTheDataSource() {
        DataSource aware = new TransactionAwareDataSourceProxy(pool);
        DataSource lazy = new LazyConnectionDataSourceProxy(pool);

        mustJoin(storeOn(pool), lazy);
        mustJoin(storeOn(lazy), pool);
        mustJoin(storeOn(aware), pool);
        mustJoin(storeOn(aware), lazy);
        mustJoin(storeOn(lazy), lazy);
        mustJoin(storeOn(pool), aware);
    }

    private static void mustJoin(JdbcIdempotencyStore store, DataSource ofTheTransaction) {
        RecordKey key = TestClaims.newKey();
        OwnerToken owner = OwnerToken.random();
        store.claim(claim(key, owner));

        transactions(ofTheTransaction)
                .executeWithoutResult(
                        transaction -> mustApply(store.transactionParticipant().complete(key, owner, SUCCESS)));

        assertThat(((Lookup.Found) store.find(key)).found().status()).isEqualTo(RecordStatus.SUCCESS);
    }

    @Test
    void withoutATransactionThereIsNothingToBePartOf() {
        store.claim(claim(key, owner));
        assertThat(store.transactionParticipant().isInTransaction()).isFalse();

        assertThatThrownBy(this::completeInTransaction)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no transaction at the DataSource");
        TransactionTemplate none = transactions(pool);
        none.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
        none.executeWithoutResult(transaction -> {
            new JdbcTemplate(pool).queryForObject("SELECT 1", Integer.class);
            assertThat(store.transactionParticipant().isInTransaction()).isFalse();
            assertThatThrownBy(this::completeInTransaction).isInstanceOf(IllegalStateException.class);
        });
        try (HikariDataSource other = database.pool(1)) {
            transactions(other)
                    .executeWithoutResult(transaction ->
                            assertThatThrownBy(this::completeInTransaction).isInstanceOf(IllegalStateException.class));
        }
        assertThat(found().status()).isEqualTo(RecordStatus.PENDING);
    }

    final CompletionResult completeInTransaction() {
        return store.transactionParticipant().complete(key, owner, SUCCESS);
    }

    final <T> T inTransaction(TransactionCallback<T> work) {
        return transactions(pool).execute(work);
    }

    static TransactionTemplate transactions(DataSource dataSource) {
        return new TransactionTemplate(new JdbcTransactionManager(dataSource));
    }

    final IdempotencyRecord found() {
        return ((Lookup.Found) store.find(key)).found();
    }

    final void letTheLeaseEnd() {
        await().until(() -> elsewhere(() ->
                store.claim(claim(TestClaims.newKey(), OwnerToken.random())) instanceof ClaimResult.Claimed claimed
                        && claimed.version() > Micros.of(found().leaseEnd())));
    }

    static <T> T elsewhere(Supplier<T> step) {
        return CompletableFuture.supplyAsync(step).join();
    }

    static void mustApply(CompletionResult result) {
        assertThat(result).isInstanceOf(CompletionResult.Applied.class);
    }
}
