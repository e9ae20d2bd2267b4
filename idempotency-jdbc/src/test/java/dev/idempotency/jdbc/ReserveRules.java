// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static dev.idempotency.jdbc.TestClaims.FAILURE;
import static dev.idempotency.jdbc.TestClaims.HOUR;
import static dev.idempotency.jdbc.TestClaims.SUCCESS;
import static dev.idempotency.jdbc.TestClaims.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordStatus;
import dev.idempotency.store.ReleaseResult;
import dev.idempotency.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** What goes on while the application has the one connection of its pool, on one database. */
abstract class ReserveRules {

    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(2);

    private final RecordKey key = TestClaims.newKey();
    private final OwnerToken owner = OwnerToken.random();
    private final HikariDataSource pool;
    private final HikariDataSource reserve;
    private final JdbcIdempotencyStore store;

    ReserveRules(Database database) {
        pool = TestDatabase.shared(database).pool(1);
        reserve = TestDatabase.shared(database).pool(2);
        store = storeWith(reserve);
    }

    private JdbcIdempotencyStore storeWith(DataSource reserve) {
        return new JdbcIdempotencyStore(pool, reserve, "idempotency_", "shop", QUERY_TIMEOUT);
    }

    @BeforeEach
    void claimAndLoseNoTime() {
        store.claim(claim(key, owner));
        pool.getHikariConfigMXBean().setConnectionTimeout(300);
    }

    @AfterEach
    void close() {
        reserve.close();
        pool.close();
    }

    @FunctionalInterface
    private interface Steps {
        void run() throws Exception;
    }

    private void whileThePoolIsUsedUp(Steps steps) throws Exception {
        try (Connection used = pool.getConnection()) {
            assertThat(used.isClosed()).isFalse();
            steps.run();
        }
    }

    @Test
    void claimsAreRenewedAndEnded() throws Exception {
        whileThePoolIsUsedUp(() -> {
            assertThat(TestClaims.renewed(store, key, owner, HOUR, HOUR)).isTrue();
            TransactionRules.mustApply(store.complete(key, owner, SUCCESS));
        });
        assertThat(ServerRules.found(store, key).status()).isEqualTo(RecordStatus.SUCCESS);
    }

    /** Whose code would have to wait for a connection just the same. */
    @Test
    void nothingNewIsClaimed() throws Exception {
        whileThePoolIsUsedUp(() -> assertThatThrownBy(
                        () -> store.claim(claim(TestClaims.newKey(), OwnerToken.random())))
                .isInstanceOf(StoreUnavailableException.class));
    }

    @Test
    void aThreadThatHasTheConnectionNeedsNoOther() {
        JdbcDeadLetterQueue letters = new JdbcDeadLetterQueue(
                pool, reserve, "idempotency_", "shop " + owner, new DeadLetterLimits(10, 10_000, HOUR), QUERY_TIMEOUT);
        RecordKey inner = TestClaims.newKey();

        TransactionRules.transactions(pool).executeWithoutResult(transaction -> {
            assertThat(store.claim(claim(inner, owner))).isInstanceOf(ClaimResult.Claimed.class);
            TransactionRules.mustApply(store.complete(inner, owner, FAILURE));
            assertThat(store.find(inner)).isInstanceOf(Lookup.Found.class);
            letters.park(new ParkedRequest(DeadLetterReason.BREAKER_OPENED, inner, 1, Payload.EMPTY));
            assertThat(store.release(inner, ServerRules.found(store, inner).version()))
                    .isEqualTo(ReleaseResult.RELEASED);
            transaction.setRollbackOnly();
        });

        assertThat(store.find(inner)).as("not part of that transaction").isInstanceOf(Lookup.Absent.class);
        assertThat(letters.counts().values()).contains(1L);
    }

    @Test
    void theReserveIsLeftAloneWhileThePoolHasConnections() {
        AtomicInteger asked = new AtomicInteger();
        JdbcIdempotencyStore other = storeWith(refusing("08001", asked));

        RecordKey fresh = TestClaims.newKey();
        other.claim(claim(fresh, owner));
        TransactionRules.mustApply(other.complete(fresh, owner, SUCCESS));
        other.find(fresh);

        assertThat(asked).hasValue(0);
    }

    /** Too many connections, a password that was changed. */
    @ParameterizedTest
    @ValueSource(strings = {"53300", "28P01", "28000", "08004", "42000"})
    void whereTheServerRefusesTheReserveThePoolRenews(String state) {
        assertThat(TestClaims.renewed(storeWith(refusing(state, new AtomicInteger())), key, owner, HOUR, HOUR))
                .isTrue();
    }

    /** The thread that renews must be there when the server is again, not wait in the pool's queue. */
    @ParameterizedTest
    @ValueSource(strings = {"08001", "08006", "57P03", ""})
    void whereTheServerGivesNoAnswerThePoolIsNotAsked(String state) {
        AtomicInteger asked = new AtomicInteger();
        JdbcIdempotencyStore other = storeWith(refusing(state.isEmpty() ? null : state, asked));

        assertThatThrownBy(() -> TestClaims.renewed(other, key, owner, HOUR, HOUR))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(asked).hasValue(1);
    }

    @Test
    void aReserveThatFailsLeavesAThreadInATransactionToThePool() {
        pool.setMaximumPoolSize(2);
        JdbcIdempotencyStore other = storeWith(refusing("08001", new AtomicInteger()));
        RecordKey inner = TestClaims.newKey();

        TransactionRules.transactions(pool).executeWithoutResult(transaction -> {
            assertThat(other.claim(claim(inner, owner))).isInstanceOf(ClaimResult.Claimed.class);
            TransactionRules.mustApply(other.complete(inner, owner, FAILURE));
        });
    }

    private static DataSource refusing(String state, AtomicInteger asked) {
        return new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                asked.incrementAndGet();
                throw new SQLException("refused", state);
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        };
    }
}
