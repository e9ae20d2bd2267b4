// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.store.Payload;
import dev.idempotency.store.RouteStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** States of routes in a table of a row for each bizType. */
final class JdbcRouteStates implements RouteStates {

    private final StepConnections connections;
    private final String table;
    private final String namespace;
    private final Duration queryTimeout;
    private volatile @Nullable RouteTable routes;

    JdbcRouteStates(StepConnections connections, String table, String namespace, Duration queryTimeout) {
        this.connections = connections;
        this.table = table;
        this.namespace = namespace;
        this.queryTimeout = queryTimeout;
    }

    @Override
    public Seen read() {
        return connections.run(connection -> routes(connection).read(connection));
    }

    @Override
    public boolean replace(String bizType, Payload seen, Payload next) {
        return connections.run(connection -> {
            RouteTable routes = routes(connection);
            if (seen.size() == 0) {
                return routes.insert(connection, bizType, next);
            }
            return next.size() == 0
                    ? routes.delete(connection, bizType, seen)
                    : routes.update(connection, bizType, seen, next);
        });
    }

    /** Which database it is becomes known with the first connection. */
    private RouteTable routes(Connection connection) throws SQLException {
        RouteTable known = routes;
        if (known == null) {
            Dialect dialect = Dialect.of(Database.of(connection.getMetaData()));
            known = new RouteTable(dialect, table, namespace, queryTimeout);
            routes = known;
        }
        return known;
    }
}
