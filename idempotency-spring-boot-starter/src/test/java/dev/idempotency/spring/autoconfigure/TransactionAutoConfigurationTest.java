// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import dev.idempotency.spring.transaction.BusinessTransactions;
import dev.idempotency.spring.transaction.SpringTransactions;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

class TransactionAutoConfigurationTest {

    @RestController
    static class Orders {

        @PostMapping("/orders")
        @Transactional
        @Idempotent(bizType = "order", transactional = true)
        String create() {
            return "created";
        }
    }

    @RestController
    static class Elsewhere {

        @PostMapping("/orders")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @Idempotent(bizType = "order", transactional = true)
        String create() {
            return "created";
        }
    }

    @RestController
    static class Stricter {

        @PostMapping("/orders")
        @Transactional(isolation = Isolation.SERIALIZABLE)
        @Idempotent(bizType = "order", transactional = true)
        String create() {
            return "created";
        }
    }

    @RestController
    static class ByAnotherManager {

        @PostMapping("/orders")
        @Transactional("other")
        @Idempotent(bizType = "order", transactional = true)
        String create() {
            return "created";
        }
    }

    @RestController
    static class Later {

        @PostMapping("/orders")
        @Idempotent(bizType = "order", transactional = true)
        CompletableFuture<String> create() {
            return CompletableFuture.completedFuture("created");
        }
    }

    private static DataSource database() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return dataSource;
    }

    private final DataSource database = database();

    private WebApplicationContextRunner application(Class<?> controller) {
        return TestApplications.web(controller)
                .withBean("dataSource", DataSource.class, () -> database)
                .withPropertyValues("idempotency.store=jdbc");
    }

    private WebApplicationContextRunner withManager(Class<?> controller) {
        return application(controller)
                .withBean(
                        "manager", PlatformTransactionManager.class, () -> new DataSourceTransactionManager(database));
    }

    private static void assertStopped(AssertableWebApplicationContext context, String message) {
        assertThat(context.getStartupFailure()).isNotNull();
        Throwable cause = context.getStartupFailure();
        while (!(cause instanceof InvalidConfigurationException)) {
            cause = cause.getCause();
            assertThat(cause).isNotNull();
        }
        assertThat(cause).hasMessage(message);
    }

    @Test
    void theApplicationsTransactionManagerIsUsed() {
        withManager(Orders.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .getBean(BusinessTransactions.class)
                        .isInstanceOf(SpringTransactions.class));
    }

    @Test
    void withoutATransactionManagerNothingCanBeTransactional() {
        application(Orders.class)
                .run(context -> assertStopped(
                        context,
                        "@Idempotent on Orders.create: transactional needs a PlatformTransactionManager bean, but the"
                                + " application has none"));
    }

    @Test
    void withoutSpringsTransactionsTheRestWorks() {
        TestApplications.web(TestApplications.Orders.class)
                .withClassLoader(new FilteredClassLoader(PlatformTransactionManager.class))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aStoreElsewhereCannotTakePart() {
        withManager(Orders.class)
                .withPropertyValues("idempotency.store=memory")
                .run(context -> assertStopped(
                        context,
                        "@Idempotent on Orders.create: transactional needs a store that can take part in a transaction,"
                                + " such as idempotency.store: jdbc, but the store is memory"));
    }

    @Test
    void aManagerOfAnotherDatabaseIsRefused() {
        application(Orders.class)
                .withBean(
                        "manager", PlatformTransactionManager.class, () -> new DataSourceTransactionManager(database()))
                .run(context -> assertStopped(
                        context,
                        "@Idempotent on Orders.create: transactional needs a transaction manager of the DataSource that"
                                + " the store uses, but DataSourceTransactionManager is one of another"));
    }

    @Test
    void oneOfSeveralManagersIsNamed() {
        WebApplicationContextRunner several = withManager(Orders.class)
                .withBean(
                        "other", PlatformTransactionManager.class, () -> new DataSourceTransactionManager(database()));
        several.run(context -> assertStopped(
                context,
                "@Idempotent on Orders.create: transactional needs idempotency.transaction-manager to name one of the"
                        + " application's PlatformTransactionManager beans, as none of them is primary"));
        several.withPropertyValues("idempotency.transaction-manager=manager")
                .run(context -> assertThat(context).hasNotFailed());
        several.withPropertyValues("idempotency.transaction-manager=nobody")
                .run(context -> assertStopped(
                        context,
                        "idempotency.transaction-manager must name a PlatformTransactionManager bean, but is nobody"));
    }

    @Test
    void codeThatLeavesTheTransactionIsRefused() {
        withManager(Elsewhere.class)
                .run(context -> assertStopped(
                        context,
                        "@Idempotent on Elsewhere.create: transactional cannot cover a method whose @Transactional leaves"
                                + " the surrounding transaction"));
        withManager(Stricter.class)
                .run(context -> assertStopped(
                        context,
                        "@Idempotent on Stricter.create: transactional cannot cover a method whose @Transactional asks for"
                                + " an isolation level or a time-out: it joins a transaction that has begun before"));
        withManager(ByAnotherManager.class)
                .withBean("other", PlatformTransactionManager.class, () -> new DataSourceTransactionManager(database()))
                .withPropertyValues("idempotency.transaction-manager=manager")
                .run(context -> assertStopped(
                        context,
                        "@Idempotent on ByAnotherManager.create: transactional cannot cover a method whose @Transactional"
                                + " names another transaction manager, other"));
    }

    @Test
    void anAnswerThatIsMadeLaterIsRefused() {
        withManager(Later.class)
                .run(context -> assertStopped(
                        context,
                        "@Idempotent on Later.create: transactional cannot cover what is completed on another thread"));
    }
}
