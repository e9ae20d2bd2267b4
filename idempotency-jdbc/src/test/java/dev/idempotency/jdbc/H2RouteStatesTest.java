// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

class H2RouteStatesTest extends JdbcRouteStatesRules {

    H2RouteStatesTest() {
        super(Database.H2);
    }
}
