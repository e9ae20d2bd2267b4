// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.transaction;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * The transaction that a call was made in, if any. One that the called method itself begins is over when the method returns,
 * as its interceptor stands inside ours.
 */
public final class SurroundingTransaction {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            SurroundingTransaction.class.getClassLoader());

    private SurroundingTransaction() {}

    /** Does one or the other now if there is no transaction around; otherwise once it has been committed or not. */
    public static void whenOver(Runnable committed, Runnable notCommitted) {
        if (PRESENT && Surrounding.isThere()) {
            Surrounding.register(committed, notCommitted);
        } else {
            committed.run();
        }
    }

    /** Loaded only where spring-tx is. */
    private static final class Surrounding {

        private Surrounding() {}

        static boolean isThere() {
            return TransactionSynchronizationManager.isActualTransactionActive()
                    && TransactionSynchronizationManager.isSynchronizationActive();
        }

        static void register(Runnable committed, Runnable notCommitted) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    (status == STATUS_COMMITTED ? committed : notCommitted).run();
                }
            });
        }
    }
}
