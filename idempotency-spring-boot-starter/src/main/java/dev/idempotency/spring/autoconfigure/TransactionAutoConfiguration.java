// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.IdempotencyCoordinator;
import dev.idempotency.spring.transaction.BusinessTransactions;
import dev.idempotency.spring.transaction.SpringTransactions;
import dev.idempotency.store.IdempotencyStore;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.PlatformTransactionManager;

/** The transactions of what is transactional, if the application has a transaction manager. */
@AutoConfiguration(
        after = IdempotencyAutoConfiguration.class,
        before = {WebIdempotencyAutoConfiguration.class, MethodIdempotencyAutoConfiguration.class},
        afterName = {
            // Boot 4
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.transaction.jta.autoconfigure.JtaAutoConfiguration",
            // Boot 3
            "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
            "org.springframework.boot.autoconfigure.transaction.jta.JtaAutoConfiguration"
        })
@ConditionalOnBean(IdempotencyCoordinator.class)
public final class TransactionAutoConfiguration {

    // Without an order, member classes come as the compiler has listed them, and the other one's bean may be first.
    @Order(Ordered.HIGHEST_PRECEDENCE)
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PlatformTransactionManager.class)
    @ConditionalOnBean(PlatformTransactionManager.class)
    static class WithManager {

        private static final ChosenBean<PlatformTransactionManager> MANAGER =
                new ChosenBean<>(PlatformTransactionManager.class, "transaction-manager", "transactionManager");

        @Bean
        @ConditionalOnMissingBean
        BusinessTransactions idempotencyTransactions(
                IdempotencyStore store, IdempotencyProperties properties, BeanFactory beans) {
            PlatformTransactionManager manager = MANAGER.find(properties.transactionManager(), beans);
            return manager == null
                    ? BusinessTransactions.none("needs idempotency.transaction-manager to name one of the application's"
                            + " PlatformTransactionManager beans, as none of them is primary")
                    : new SpringTransactions(manager, store, beans);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutManager {

        @Bean
        @ConditionalOnMissingBean
        BusinessTransactions idempotencyTransactions() {
            return BusinessTransactions.none("needs a PlatformTransactionManager bean, but the application has none");
        }
    }
}
