// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is made for the very database at hand. Which one that is becomes known with the first connection, so that an
 * application starts without. May be used from any thread.
 */
final class OfDatabase<T> implements OwnConnections.Work<T> {

    private final Function<Dialect, T> make;
    private volatile @Nullable T made;

    OfDatabase(Function<Dialect, T> make) {
        this.make = make;
    }

    @Override
    public T on(Connection connection) throws SQLException {
        T known = made;
        if (known == null) {
            known = make.apply(Dialect.of(Database.of(connection.getMetaData())));
            made = known;
        }
        return known;
    }
}
