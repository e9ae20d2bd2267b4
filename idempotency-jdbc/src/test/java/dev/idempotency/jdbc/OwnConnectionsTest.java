// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class OwnConnectionsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final AtomicInteger calls = new AtomicInteger();

    private static JdbcDataSource h2() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:");
        return dataSource;
    }

    @Test
    void victimOfADeadlockTriesAgain() {
        for (String state : new String[] {"40001", "40P01"}) {
            calls.set(0);
            String result = new OwnConnections(h2(), TIMEOUT).run(connection -> {
                if (calls.incrementAndGet() < 3) {
                    throw new SQLException("deadlock", state);
                }
                return "done";
            });

            assertThat(result).isEqualTo("done");
        }
    }

    @Test
    void endlessVictimGivesUp() {
        assertThatThrownBy(() -> new OwnConnections(h2(), TIMEOUT).run(connection -> {
                    calls.incrementAndGet();
                    throw new SQLException("deadlock", "40001");
                }))
                .isInstanceOf(StoreUnavailableException.class)
                .hasCauseInstanceOf(SQLException.class);
        assertThat(calls).hasValue(5);
    }

    @Test
    void otherFailuresAreToldAtOnce() {
        for (String state : new String[] {"08006", "57014", null}) {
            calls.set(0);
            assertThatThrownBy(() -> new OwnConnections(h2(), TIMEOUT).run(connection -> {
                        calls.incrementAndGet();
                        throw new SQLException("trouble", state);
                    }))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThat(calls).hasValue(1);
        }
    }

    @Test
    void databaseThatCannotBeReachedIsUnavailable() {
        DataSource unreachable = new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                throw new SQLException("no connection", "08001");
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        };

        assertThatThrownBy(() -> new OwnConnections(unreachable, TIMEOUT).run(connection -> "never"))
                .isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void connectionIsGivenBackAsItWas() throws Exception {
        try (Connection connection = h2().getConnection()) {
            for (boolean autoCommit : new boolean[] {true, false}) {
                connection.setAutoCommit(autoCommit);
                OwnConnections connections =
                        new OwnConnections(new SingleConnectionDataSource(connection, true), TIMEOUT);

                assertThat(connections.<Boolean>run(Connection::getAutoCommit)).isTrue();
                assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
                assertThatThrownBy(() -> connections.run(own -> {
                            throw new SQLException("trouble");
                        }))
                        .isInstanceOf(StoreUnavailableException.class);
                assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
            }
        }
    }

    @Test
    void connectionIsNeverThatOfTheCallersTransaction() {
        DataSource target = h2();
        DataSource aware = new TransactionAwareDataSourceProxy(new TransactionAwareDataSourceProxy(target));
        OwnConnections connections = new OwnConnections(aware, TIMEOUT);

        new TransactionTemplate(new JdbcTransactionManager(target))
                .executeWithoutResult(transaction -> assertThat(connections.<Boolean>run(Connection::getAutoCommit))
                        .isTrue());
    }

    @Test
    void replicaForReadOnlyTransactionsIsNeverAsked() {
        DataSource primary = h2();
        DataSource routing = new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                assertThat(TransactionSynchronizationManager.isCurrentTransactionReadOnly())
                        .isFalse();
                return primary.getConnection();
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        };
        OwnConnections connections = new OwnConnections(routing, TIMEOUT);
        TransactionTemplate readOnly = new TransactionTemplate(new JdbcTransactionManager(primary));
        readOnly.setReadOnly(true);

        readOnly.executeWithoutResult(transaction -> {
            assertThat(connections.<Boolean>run(Connection::isReadOnly)).isFalse();
            assertThat(TransactionSynchronizationManager.isCurrentTransactionReadOnly())
                    .isTrue();
        });
    }
}
