// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.transaction;

import dev.idempotency.Execution;
import java.lang.reflect.Method;

/** Stands where there can be no transaction. */
record NoTransactions(String reason) implements BusinessTransactions {

    @Override
    public BusinessTransaction begin(Execution execution, String name) {
        throw new IllegalStateException("transactional " + reason);
    }

    @Override
    public void check() {
        throw new IllegalArgumentException(reason);
    }

    @Override
    public void check(Class<?> type, Method method) {
        check();
    }
}
