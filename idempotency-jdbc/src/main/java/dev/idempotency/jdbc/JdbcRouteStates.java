// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.store.Payload;
import dev.idempotency.store.RouteStates;
import java.time.Duration;

/** States of routes in a table of a row for each bizType. */
final class JdbcRouteStates implements RouteStates {

    private final StepConnections connections;
    private final OfDatabase<RouteTable> routes;

    JdbcRouteStates(StepConnections connections, String table, String namespace, Duration queryTimeout) {
        this.connections = connections;
        this.routes = new OfDatabase<>(dialect -> new RouteTable(dialect, table, namespace, queryTimeout));
    }

    @Override
    public Seen read() {
        return connections.run(connection -> routes.on(connection).read(connection));
    }

    @Override
    public boolean replace(String bizType, Payload seen, Payload next) {
        return connections.run(connection -> {
            RouteTable table = routes.on(connection);
            if (seen.size() == 0) {
                return table.insert(connection, bizType, next);
            }
            return next.size() == 0
                    ? table.delete(connection, bizType, seen)
                    : table.update(connection, bizType, seen, next);
        });
    }
}
