// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.io.Serial;

/** The DataSource leads to a database that records cannot be kept in. */
public final class UnsupportedDatabaseException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    UnsupportedDatabaseException(String message) {
        super(message);
    }
}
