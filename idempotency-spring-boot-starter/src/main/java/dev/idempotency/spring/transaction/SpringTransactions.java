// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.transaction;

import dev.idempotency.Execution;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.StoreUnavailableException;
import dev.idempotency.store.StoredResponse;
import dev.idempotency.store.TransactionParticipant;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Transactions of a {@link PlatformTransactionManager}, which {@code @Transactional} code inside of them joins. */
public final class SpringTransactions implements BusinessTransactions {

    private static final Logger log = LoggerFactory.getLogger(SpringTransactions.class);

    /** Propagations that leave the transaction which is there, or refuse to run in one. */
    private static final Set<Integer> ELSEWHERE = Set.of(
            TransactionDefinition.PROPAGATION_REQUIRES_NEW,
            TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
            TransactionDefinition.PROPAGATION_NEVER);

    private final PlatformTransactionManager manager;
    private final IdempotencyStore store;
    private final BeanFactory beans;
    private final AnnotationTransactionAttributeSource attributes = new AnnotationTransactionAttributeSource(false);

    /** Whether a probe has been made: one of a database that is away takes as long as the pool waits. */
    private volatile boolean checked;

    /**
     * Transactions of one manager.
     *
     * @param store what keeps the records
     * @param beans where other managers are looked up that code names
     */
    public SpringTransactions(PlatformTransactionManager manager, IdempotencyStore store, BeanFactory beans) {
        this.manager = manager;
        this.store = store;
        this.beans = beans;
    }

    @Override
    public void check() {
        TransactionParticipant participant = store.transactionParticipant();
        if (participant == null) {
            throw new IllegalArgumentException("needs a store that can take part in a transaction, such as"
                    + " idempotency.store: jdbc, but the store is " + store.name());
        }
        if (!checked) {
            check(participant);
            checked = true;
        }
    }

    private void check(TransactionParticipant participant) {
        TransactionStatus probe;
        try {
            probe = manager.getTransaction(TransactionDefinition.withDefaults());
        } catch (TransactionException e) {
            log.warn("Whether records can be part of transactions could not be checked: {}", e.getMessage());
            return;
        }
        boolean joined;
        try {
            joined = participant.isInTransaction();
        } finally {
            manager.rollback(probe);
        }
        if (!joined) {
            throw new IllegalArgumentException("needs a transaction manager of the DataSource that the store uses, but "
                    + manager.getClass().getSimpleName() + " is one of another");
        }
    }

    @Override
    public void check(Class<?> type, Method method) {
        TransactionAttribute attribute = attributes.getTransactionAttribute(method, type);
        if (attribute == null) {
            return;
        }
        if (ELSEWHERE.contains(attribute.getPropagationBehavior())) {
            throw new IllegalArgumentException(
                    "cannot cover a method whose @Transactional leaves the surrounding transaction");
        }
        if (attribute.getIsolationLevel() != TransactionDefinition.ISOLATION_DEFAULT
                || attribute.getTimeout() != TransactionDefinition.TIMEOUT_DEFAULT) {
            throw new IllegalArgumentException(
                    "cannot cover a method whose @Transactional asks for an isolation level or a"
                            + " time-out: it joins a transaction that has begun before");
        }
        String named = attribute.getQualifier();
        if (named != null
                && !named.isEmpty()
                && BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, named) != manager) {
            throw new IllegalArgumentException(
                    "cannot cover a method whose @Transactional names another transaction manager, " + named);
        }
    }

    @Override
    public BusinessTransaction begin(Execution execution, String name) {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
        definition.setName(name);
        try {
            return new Begun(execution, manager.getTransaction(definition));
        } catch (TransactionException e) {
            execution.release();
            throw new StoreUnavailableException("no transaction could be begun", e);
        } catch (RuntimeException | Error e) {
            execution.release();
            throw e;
        }
    }

    private final class Begun implements BusinessTransaction {

        private final Execution execution;
        private final TransactionStatus status;
        private final boolean own;

        Begun(Execution execution, TransactionStatus status) {
            this.execution = execution;
            this.status = status;
            this.own = status.isNewTransaction();
        }

        @Override
        public boolean complete(@Nullable StoredResponse answer) {
            if (status.isCompleted()) { // rolled back, so that no effect depends on the record
                return BusinessTransaction.none(execution).complete(answer);
            }
            try {
                if (status.isRollbackOnly()) {
                    throw new UnexpectedRollbackException(
                            "the transaction is marked as rollback-only, but the answer tells of an effect");
                }
                if (!execution.completeInTransaction(answer)) {
                    rollback();
                    return false;
                }
                commit();
                return true;
            } catch (RuntimeException | Error e) {
                fail(e, 0);
                throw e;
            }
        }

        private void commit() {
            if (!own) {
                SurroundingTransaction.whenOver(execution::committed, () -> execution.fail(null, 0));
            }
            manager.commit(status);
            if (own) {
                execution.committed();
            }
        }

        @Override
        public void fail(@Nullable Throwable cause, int httpStatus) {
            rollback();
            whenRolledBack(() -> execution.fail(cause, httpStatus));
        }

        @Override
        public void release() {
            rollback();
            whenRolledBack(execution::release);
        }

        @Override
        public void rollback() {
            if (status.isCompleted()) {
                return;
            }
            try {
                manager.rollback(status);
            } catch (RuntimeException | Error e) { // the database rolls back what it has lost the connection of
                log.warn("The transaction of {} could not be rolled back.", execution.key(), e);
            }
        }

        /** A transaction that was only joined is rolled back by whoever began it. */
        private void whenRolledBack(Runnable end) {
            if (own) {
                end.run();
            } else {
                SurroundingTransaction.whenOver(end, end);
            }
        }
    }
}
