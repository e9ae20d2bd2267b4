// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.transaction;

import dev.idempotency.Execution;
import java.lang.reflect.Method;

/** Begins the transactions of an application. May be used from any thread. */
public interface BusinessTransactions {

    /**
     * Begins the transaction that an attempt's effect and its record are to be committed by, or joins the calling thread's. If
     * it cannot be begun, the attempt is released.
     *
     * @param name what to call it in the transaction manager's log
     * @throws dev.idempotency.store.StoreUnavailableException if the database gave no connection for it
     */
    BusinessTransaction begin(Execution execution, String name);

    /**
     * Checks that records can be part of such transactions; a database that gives no answer is taken for one that can.
     *
     * @throws IllegalArgumentException if they cannot; the message is the rest of a sentence about {@code transactional}
     */
    void check();

    /**
     * Checks that the effect of a method would be part of such a transaction, as far as its own declaration tells.
     *
     * @throws IllegalArgumentException if it would not; the message is the rest of a sentence about {@code transactional}
     */
    void check(Class<?> type, Method method);

    /**
     * Of an application where there can be none.
     *
     * @param reason the rest of a sentence about {@code transactional}
     */
    static BusinessTransactions none(String reason) {
        return new NoTransactions(reason);
    }
}
