// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.IdempotencyException;
import dev.idempotency.Idempotent;
import dev.idempotency.event.AttemptEnd;
import dev.idempotency.event.IdempotencyListener;
import dev.idempotency.event.Operation;
import dev.idempotency.spring.autoconfigure.IdempotencyAutoConfiguration;
import dev.idempotency.spring.autoconfigure.JsonAutoConfiguration;
import dev.idempotency.spring.autoconfigure.MethodIdempotencyAutoConfiguration;
import dev.idempotency.spring.autoconfigure.TransactionAutoConfiguration;
import dev.idempotency.store.PreviousAttempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** In which order claim, transaction and completion come. */
class TransactionTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TransactionAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class,
                    JsonAutoConfiguration.class,
                    MethodIdempotencyAutoConfiguration.class))
            .withUserConfiguration(Transactional1.class);

    static final class Log {
        private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

        void add(String line) {
            lines.add(line);
        }

        List<String> lines() {
            return List.copyOf(lines);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @EnableAsync
    static class Transactional1 {

        @Bean
        Log log() {
            return new Log();
        }

        @Bean
        Orders orders(Log log) {
            return new Orders(log);
        }

        @Bean
        PlatformTransactionManager transactions(Log log) {
            return new LoggingTransactions(log);
        }

        @Bean
        IdempotencyListener listener(Log log) {
            return new IdempotencyListener() {
                @Override
                public void claimed(Operation operation, int attempts, PreviousAttempt previous) {
                    log.add("claim");
                }

                @Override
                public void ended(Operation operation, AttemptEnd end, Duration duration) {
                    log.add(end.name());
                }
            };
        }
    }

    @SuppressWarnings("serial")
    static final class LoggingTransactions extends AbstractPlatformTransactionManager {

        private final transient Log log;
        private boolean active;

        LoggingTransactions(Log log) {
            this.log = log;
        }

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected boolean isExistingTransaction(Object transaction) {
            return active;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            active = true;
            log.add("begin");
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            log.add("commit");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            log.add("rollback");
        }

        @Override
        protected void doSetRollbackOnly(DefaultTransactionStatus status) {}

        @Override
        protected void doCleanupAfterCompletion(Object transaction) {
            active = false;
        }
    }

    static class Orders {

        private final Log log;

        Orders(Log log) {
            this.log = log;
        }

        @Transactional
        @Idempotent(keyResolver = "#id")
        public String place(String id) {
            log.add("run");
            return id;
        }

        @Transactional
        @Idempotent(keyResolver = "#id")
        public String fail(String id) {
            log.add("run");
            throw new IllegalStateException(id);
        }

        @Async
        @Idempotent(keyResolver = "#id")
        public CompletableFuture<String> elsewhere(String id) {
            log.add("run");
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }

    @Test
    void theClaimComesBeforeTheTransactionAndTheCompletionAfterItsCommit() {
        application.run(context -> {
            context.getBean(Orders.class).place("1");
            assertThat(context.getBean(Log.class).lines())
                    .containsExactly("claim", "begin", "run", "commit", "SUCCEEDED");
        });
    }

    @Test
    void aRolledBackMethodHasFailed() {
        application.run(context -> {
            assertThatThrownBy(() -> context.getBean(Orders.class).fail("1"))
                    .isExactlyInstanceOf(IllegalStateException.class);
            assertThat(context.getBean(Log.class).lines())
                    .containsExactly("claim", "begin", "run", "rollback", "FAILED");
        });
    }

    @Test
    void insideATransactionTheCompletionWaitsForItsCommit() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            transaction.executeWithoutResult(status -> {
                orders.place("1");
                assertThatThrownBy(() -> orders.place("1")).isInstanceOf(IdempotencyException.InProgress.class);
            });

            assertThat(orders.place("1")).isEqualTo("1");
            assertThat(context.getBean(Log.class).lines())
                    .containsExactly("begin", "claim", "run", "commit", "SUCCEEDED");
        });
    }

    @Test
    void whatASurroundingTransactionRolledBackMayRunAgain() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            transaction.executeWithoutResult(status -> {
                orders.place("1");
                status.setRollbackOnly();
            });
            orders.place("1");

            assertThat(context.getBean(Log.class).lines())
                    .containsExactly(
                            "begin",
                            "claim",
                            "run",
                            "rollback",
                            "FAILED",
                            "claim",
                            "begin",
                            "run",
                            "commit",
                            "SUCCEEDED");
        });
    }

    @Test
    void anAsyncMethodIsClaimedOnItsOwnThread() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            String first = orders.elsewhere("1").join();
            assertThat(first).isNotEqualTo(Thread.currentThread().getName());
            assertThat(orders.elsewhere("1").join()).isEqualTo(first);
            assertThat(context.getBean(Log.class).lines()).containsExactly("claim", "run", "SUCCEEDED");
        });
    }
}
